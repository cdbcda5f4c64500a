import { SwapError } from "../../domain/errors/swap-error.ts";
import { type CallContext, isSimulated, type PriceAnswer, type Quoting, type SwapRequest } from "../answer/types.ts";
import type { MarketView } from "../ports.ts";
import { requestKey } from "../search/request-key.ts";

/** A price that was found, or is being looked for. */
interface Search {
  readonly answer: Promise<PriceAnswer>;
  /** Account whose place in the queue it has. */
  readonly account: string | undefined;
}

/** Prices of one state of the market. */
type Found = Map<string, Search>;

/** Prices that are searched for once for each state of the market. */
export interface PriceCache {
  readonly quoting: Quoting;
  /** Identity of the market state: one object while answers to a request stay the same; undefined without a state. */
  epoch(): object | undefined;
}

/** Refusals that say something of the market, and not of the moment or of the caller. */
const LASTING = ["INSUFFICIENT_ASSET_LIQUIDITY", "INVALID_PARAMETERS", "PRICE_IMPACT_TOO_HIGH"];

/** Options of the cache of prices. */
interface CacheOptions {
  readonly quoting: Quoting;
  readonly market: Pick<MarketView, "current">;
  versions(): readonly unknown[];
  readonly most: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Answers the same price request at the same block without another search, also while the first search still runs.
 * `versions` are other values whenever something else than the snapshot decides otherwise than before. At most `most`
 * prices are kept, the oldest are dropped first; quotes are never kept.
 */
export function createPriceCache(options: CacheOptions): PriceCache {
  const { quoting, most, now } = options;
  /** Answers of searches that were cut short: their callers' deadlines had passed, or they had left. */
  const cut = new WeakSet<PriceAnswer>();
  const foundNow = foundByState(options);

  function search(found: Found, key: string, request: SwapRequest, context: CallContext): Promise<PriceAnswer> {
    const forget = () => {
      if (found.get(key) === begun) found.delete(key);
    };
    const answer = quoting.price(request, context).then(
      (price) => {
        // A search that may have been cut short is not for others.
        if (context.signal.aborted || now() > (context.deadlineMs ?? Number.POSITIVE_INFINITY)) {
          forget();
          cut.add(price);
        }
        return price;
      },
      (error) => {
        if (!(error instanceof SwapError && LASTING.includes(error.kind))) forget();
        throw error;
      },
    );
    const begun: Search = { answer, account: context.account };
    const [oldest] = found.keys();
    if (found.size >= most && oldest !== undefined) found.delete(oldest);
    found.set(key, begun);
    return answer;
  }

  async function price(request: SwapRequest, context: CallContext): Promise<PriceAnswer> {
    // A block that is asked for by its number may be the one of now: makers have no part in its prices.
    const isOfNow = request.at === undefined && request.overrides === undefined;
    const found = isOfNow ? foundNow(context.at) : undefined;
    // Gas that is remembered from another block is an answer for its own watch alone.
    const isForItself = context.knownGas !== undefined && isSimulated(request);
    if (found === undefined || isForItself) return quoting.price(request, context);
    const key = keyOf(request, context);
    const kept = found.get(key);
    if (kept === undefined) return search(found, key, request, context);
    try {
      const answer = await kept.answer;
      return cut.has(answer) ? await price(request, context) : answer;
    } catch (error) {
      if (!(error instanceof SwapError) || context.signal.aborted) throw error;
      // One of those that wait searches again, for all of them.
      if (isOthers(error, kept, context)) return price(request, context);
      throw error;
    }
  }

  return { quoting: { ...quoting, price }, epoch: () => foundNow() };
}

/**
 * The prices of the market's state now, none in a new one; undefined while nothing may be quoted, and for a market that is
 * not the one of now.
 */
function foundByState({ market, versions: versionsNow }: CacheOptions): (at?: object) => Found | undefined {
  let state: { readonly snapshot: object; readonly versions: readonly unknown[]; readonly found: Found } | undefined;
  return (at) => {
    const current = market.current();
    if ("unavailable" in current) return undefined;
    const { snapshot } = current;
    if (at !== undefined && at !== snapshot) return undefined;
    const versions = versionsNow();
    const same = state?.snapshot === snapshot && versions.every((version, index) => version === state?.versions[index]);
    if (state === undefined || !same) state = { snapshot, versions, found: new Map() };
    return state.found;
  };
}

/** One of several amounts may have another answer than the same request by itself. */
function keyOf(request: SwapRequest, { known }: CallContext): string {
  const amounts = known?.map(({ sellAmount, buyAmount }) => `${sellAmount}:${buyAmount}`);
  return amounts === undefined ? requestKey(request) : `${requestKey(request)} from ${amounts.join()}`;
}

/** Another caller's deadline is no reason to refuse this one, nor is another account's place in the queue. */
function isOthers({ kind }: SwapError, { account }: Search, context: CallContext): boolean {
  return kind === "DEADLINE_EXCEEDED" || (kind === "UNAVAILABLE" && account !== context.account);
}
