import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import { SwapError } from "../domain/swap-error.ts";
import type { Token } from "../domain/token.ts";
import type { TokenRegistry } from "../quoting/ports.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { balanceOf, DECIMALS, NAME, SYMBOL, uintOf } from "./erc20.ts";
import type { NodeReader } from "./reader.ts";
import { readTokenText } from "./token-text.ts";

const MAX_DECIMALS = 36n;
/** Enough for proxies with long names; a token that burns more has no use here. */
const METADATA_GAS = 200_000n;
const MAX_REMEMBERED = 50_000;
const MAX_REFUSED = 10_000;
/** A contract may be deployed later where there is none now. */
const REFUSED_FOR_MS = 60_000;

/** Tokens by address: those of the list, the native one, and what the chain says of others when they are asked for. */
export function createTokenRegistry(options: {
  readonly reader: NodeReader;
  /** The block to read at; undefined while there is none. */
  readonly head: () => BlockRef | undefined;
  readonly tokens: readonly Token[];
  readonly record: ChainRecord;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): TokenRegistry {
  const { reader, record } = options;
  const native: Token = { address: NATIVE_TOKEN, ...record.native, decimals: 18 };
  const listed = new Map<Address, Token>([[NATIVE_TOKEN, native]]);
  for (const token of options.tokens) if (token.decimals <= MAX_DECIMALS) listed.set(token.address, token);
  const bySymbol = Map.groupBy(listed.values(), ({ symbol }) => symbol.toLowerCase());
  const seen = new Map<Address, Token>();
  const refused = new Map<Address, number>();
  const asked = new Map<Address, Promise<Token | undefined>>();

  async function read(address: Address, at: BlockRef): Promise<Token | undefined> {
    const [decimals, balance, symbol, name] = await Promise.all(
      [DECIMALS, balanceOf(address), SYMBOL, NAME].map((data) => {
        return reader.callWithin({ to: address, data }, METADATA_GAS, at);
      }),
    );
    const places = uintOf(decimals);
    if (places === undefined || places > MAX_DECIMALS || uintOf(balance) === undefined) return undefined;
    const label = symbol === undefined ? undefined : readTokenText(symbol);
    if (label === undefined) return undefined;
    const title = name === undefined ? undefined : readTokenText(name);
    return { address, symbol: label, name: title ?? label, decimals: Number(places) };
  }

  async function ask(address: Address): Promise<Token | undefined> {
    const at = options.head();
    if (at === undefined) throw unavailable(undefined);
    const token = await read(address, at).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    if (token === undefined) remember(refused, address, options.now() + REFUSED_FOR_MS, MAX_REFUSED);
    else remember(seen, address, token, MAX_REMEMBERED);
    return token;
  }

  const known = (address: Address) => listed.get(address) ?? seen.get(address);

  return {
    known,
    async find(address) {
      const token = known(address);
      if (token !== undefined) return token;
      if ((refused.get(address) ?? 0) > options.now()) return undefined;
      const running = asked.get(address) ?? ask(address).finally(() => asked.delete(address));
      asked.set(address, running);
      return running;
    },
    bySymbol: (symbol) => bySymbol.get(symbol.toLowerCase()) ?? [],
  };
}

/** Puts an entry into a map of bounded size; the oldest gives way. */
function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as K);
  map.set(key, value);
}

function unavailable(cause: unknown): SwapError {
  return new SwapError("UNAVAILABLE", "The chain cannot be asked about this token at the moment. Try again.", {
    retryAfterSeconds: 2,
    cause,
  });
}
