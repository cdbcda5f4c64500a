import type { Address } from "../../domain/address.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import type { Token } from "../../domain/token.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import type { MarketFeed, TokenRegistry, TokenVerdicts } from "../ports.ts";
import { nativeRateOf } from "../price/prices.ts";
import { isSoldByName } from "../search/named-amounts.ts";
import { type CountedSnapshot, type CountedTokens, depthWei, MarketTokens } from "./market-tokens.ts";
import type { TokenDirectory, TokenPage, TokenQuery, TradableToken } from "./token-directory.ts";
import { MAX_NAMED, TokenNames } from "./token-names.ts";
import { tokenAt } from "./token-ranking.ts";

/** Addresses of a request that are looked up at a time: an account has places for few. */
const LOOKED_UP_TOGETHER = 8;

/** Parts of the directory. */
interface DirectoryParts {
  readonly market: Pick<MarketFeed, "current" | "onSnapshot">;
  /** Names of tokens. Asking it wakes no pools: only trading a token reads them. */
  readonly names: Pick<TokenRegistry, "known" | "find">;
  readonly verdicts: Pick<TokenVerdicts, "keptOut">;
  readonly switchedOff: () => SwitchedOff;
  readonly native: Token;
  readonly wrappedNative: Address;
  readonly pausing: ConstructorParameters<typeof MarketTokens>[0]["pausing"];
  readonly elapsed: () => number;
  /** Told of defects: the last count stays. */
  onDefect(error: unknown): void;
}

/** The tokens of a market that is followed, from its next snapshot on. */
export function createTokenDirectory(parts: DirectoryParts): TokenDirectory {
  return new MarketDirectory(parts);
}

class MarketDirectory implements TokenDirectory {
  readonly #parts: DirectoryParts;
  readonly #tokens: MarketTokens;
  readonly #names: TokenNames;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    this.#tokens = new MarketTokens(parts);
    this.#names = new TokenNames(parts.names);
    this.#names.keep(parts.native);
    parts.market.onSnapshot((snapshot) => this.#look(snapshot));
  }

  lookUps(query: TokenQuery): number {
    if (query.kind === "page") return 0;
    const { names } = this.#parts;
    return [...new Set(query.addresses)].filter((address) => names.known(address) === undefined).length;
  }

  async list(query: TokenQuery): Promise<TokenPage> {
    return query.kind === "page" ? this.#page(query, this.#counted()) : this.#at(query);
  }

  #look(snapshot: CountedSnapshot): void {
    const learn = () => {
      const deepest = this.#tokens.counted?.ranking.after(undefined, MAX_NAMED) ?? [];
      void this.#names.learn(deepest.map(tokenAt));
    };
    this.#tokens.look(snapshot).then(learn).catch(this.#parts.onDefect);
  }

  /** @throws SwapError */
  #counted(): CountedTokens {
    const current = this.#parts.market.current();
    if ("unavailable" in current) throw refuse("UNAVAILABLE", current.unavailable);
    const { counted } = this.#tokens;
    // Blocks that come faster than tokens are counted are passed over; the last one is not.
    if (counted?.snapshot.block.hash !== current.snapshot.block.hash) this.#look(current.snapshot);
    if (counted === undefined) throw refuse("UNAVAILABLE", "The tokens are counted for the first time. Try again.");
    return counted;
  }

  #page({ search, after, most }: Extract<TokenQuery, { kind: "page" }>, from: CountedTokens): TokenPage {
    const places =
      search === undefined ? from.ranking.after(after, most + 1) : this.#connectionsByPeer(search, after ?? "", from);
    const shown = places.slice(0, most);
    const next = places.length > most ? shown.at(-1) : undefined;
    return {
      block: from.snapshot.block,
      tokens: shown.map(tokenAt).map((address) => this.#shown(address, this.#names.known(address), from)),
      ...(next !== undefined && { next }),
    };
  }

  /** Places of the tokens that a text finds, behind one. */
  #connectionsByPeer(search: string, after: string, { ranking }: CountedTokens): readonly string[] {
    const places = this.#names.search(search).flatMap((token) => ranking.place(token) ?? []);
    return places.filter((place) => place > after).sort();
  }

  async #at({ addresses, account }: Extract<TokenQuery, { kind: "addresses" }>): Promise<TokenPage> {
    // Nothing is looked up where nothing can be answered.
    this.#counted();
    const { names } = this.#parts;
    const wanted = [...new Set(addresses)];
    const found: Token[] = [];
    for (let at = 0; at < wanted.length; at += LOOKED_UP_TOGETHER) {
      const some = wanted.slice(at, at + LOOKED_UP_TOGETHER);
      const usable = await Promise.all(some.map((address) => names.known(address) ?? names.find(address, account)));
      found.push(...usable.filter((token) => token !== undefined));
    }
    const from = this.#counted();
    return { block: from.snapshot.block, tokens: found.map((token) => this.#shown(token.address, token, from)) };
  }

  #shown(address: Address, token: Token | undefined, { snapshot, totals }: CountedTokens): TradableToken {
    const total = totals.of(address) ?? { pools: 0, depth: 0n };
    const depth = depthWei(address, total, snapshot);
    const { graph } = snapshot;
    const isTraded = taxOf(graph, address) !== undefined || isSoldByName(graph, address);
    const keptOut = keptOutReason(address, this.#parts, isTraded);
    return {
      address,
      nativeRate: token === undefined ? null : nativeRateOf(token, snapshot.rates, this.#parts.wrappedNative),
      pools: total.pools,
      ...(token && { token }),
      ...(depth !== undefined && { depth }),
      ...(keptOut !== undefined && { keptOut }),
    };
  }
}

/** Why no route uses a token. One that pools reckon with is traded, at the ends of routes, or sold. */
function keptOutReason(
  address: Address,
  { verdicts, switchedOff }: Pick<DirectoryParts, "verdicts" | "switchedOff">,
  isTraded: boolean,
): string | undefined {
  if (switchedOff().token.has(address)) return "is switched off by the operator";
  return isTraded ? undefined : verdicts.keptOut().get(address);
}
