import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenList } from "../../domain/token-list.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { TokenRegistry, TokenVerdicts } from "../../quoting/ports.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { tokenListEntry, tokenListOf, tokensInList } from "../chains/fit-token-list.ts";
import { slicing, systemClock } from "../rpc/clock.ts";

/** The token list that the service shows. It follows the schema of tokenlists.org and always holds the native token. */
export interface ServiceTokens {
  /** The list; one object until it changes. */
  list(): TokenList;
  /**
   * Looks at a snapshot for the best connected tokens, unless it did a short while ago or the operator has a list.
   * Settles when the last look is done.
   */
  look(snapshot: Snapshot): Promise<void>;
}

/** Tokens that a list made by the service has at most. */
const MAX_TOKENS = 60;
/** Pools come and go slowly, and all of them are counted. */
const LOOK_EVERY_MS = 300_000;
const AGAIN_AFTER_MS = 10_000;
/** Tokens that are valued in one look: whoever makes many that are worth nothing does not hold up the service. */
const MAX_VALUED = 1_000;

/** `listed`: the operator's list; without one or with an empty one the tokens come from the market. */
export function createServiceTokens(options: {
  readonly record: ChainRecord;
  readonly listed: TokenList | undefined;
  readonly registry: Pick<TokenRegistry, "find">;
  readonly verdicts: Pick<TokenVerdicts, "keptOut">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): ServiceTokens {
  const { record, listed, registry, verdicts, now } = options;
  const { chainId } = record;
  const native: Token = { address: NATIVE_TOKEN, ...record.native, decimals: 18 };
  const made = (patch: number, tokens: readonly Token[]) => {
    const version = { major: 1, minor: 0, patch };
    return tokenListOf({ name: record.name, timestamp: new Date(now()).toISOString(), version }, chainId, tokens);
  };
  const isListed = listed !== undefined && listed.tokens.length > 0;
  let list = isListed ? withNative(listed, native, chainId) : made(0, [native]);
  let due = isListed ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let looking = Promise.resolve();

  async function read(snapshot: Snapshot): Promise<void> {
    const addresses = [record.wrappedNative, ...(record.referenceTokens ?? []), ...(await bestConnected(snapshot))];
    const wanted = [...new Set(addresses)].filter((token) => !verdicts.keptOut().has(token)).slice(0, MAX_TOKENS);
    const found = await Promise.all(
      wanted.map((address) =>
        registry.find(address).catch(() => {
          // The node could not be asked.
          due = now() + AGAIN_AFTER_MS;
          return undefined;
        }),
      ),
    );
    const next = made(list.version.patch + 1, [native, ...found.filter((token) => token !== undefined)]);
    if (JSON.stringify(next.tokens) !== JSON.stringify(list.tokens)) list = next;
  }

  return {
    list: () => list,
    look(snapshot) {
      if (now() >= due) {
        due = now() + LOOK_EVERY_MS;
        looking = read(snapshot);
      }
      return looking;
    },
  };
}

/** Tokens whose value is known, those first that share pools with the most other tokens. Others have their turn meanwhile. */
async function bestConnected({ graph, rates }: Pick<Snapshot, "graph" | "rates">): Promise<readonly Address[]> {
  const pause = slicing(systemClock);
  const partners = new Map<Address, Set<Address>>();
  for (const chunk of graph.chunks()) {
    await pause();
    for (const pool of chunk) if (pool !== undefined) connect(pool.tokens, partners);
  }
  const ranked = [...partners].sort(([a, first], [b, second]) => second.size - first.size || (a < b ? -1 : 1));
  const best: Address[] = [];
  for (const [token] of ranked.slice(0, MAX_VALUED)) {
    if (best.length === MAX_TOKENS) break;
    await pause();
    if (token !== NATIVE_TOKEN && rates.perNative(token) !== undefined) best.push(token);
  }
  return best;
}

/** Notes that one pool holds all of the tokens. */
function connect(tokens: readonly Address[], partners: Map<Address, Set<Address>>): void {
  for (const token of tokens) {
    const others = partners.get(token) ?? new Set();
    for (const other of tokens) if (other !== token) others.add(other);
    partners.set(token, others);
  }
}

function withNative(list: TokenList, native: Token, chainId: number): TokenList {
  if (list.tokens.some(({ address }) => address.toLowerCase() === NATIVE_TOKEN)) return list;
  return { ...list, tokens: tokensInList([tokenListEntry(chainId, native), ...list.tokens]) };
}
