import type { BlockRef } from "../../domain/block.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { KnownRoute } from "../../routing/router.ts";
import { type CallContext, givenAmountOf, type PriceAnswer, type Quoting, type SwapRequest } from "../answer/types.ts";
import type { MarketView } from "../ports.ts";
import { deadlinePassed } from "../search/past-deadline.ts";
import { planLadder } from "./ladder-plan.ts";

/** Answer to one request of several. */
export type PriceResult = { readonly answer: PriceAnswer } | { readonly refusal: SwapError };

/** The answers to several requests, in their order, all from one block. */
export interface PriceList {
  readonly chainId: number;
  readonly block: BlockRef;
  readonly results: readonly PriceResult[];
}

/** Prices of several requests at one block. */
export interface PriceLists {
  /**
   * Each result is the price, or the refusal, that the request alone has at that block. A request that could not be read
   * comes as its refusal.
   * @throws SwapError where nothing can be priced now, or the caller has left
   */
  prices(requests: readonly (SwapRequest | SwapError)[], context: CallContext): Promise<PriceList>;
  /**
   * Prices of requests that differ in their amounts alone. Most searches begin with the routes for amounts around theirs, and may
   * end with other routes than the requests alone have.
   * @throws SwapError as `prices` does
   */
  ladder(requests: readonly SwapRequest[], context: CallContext): Promise<PriceList>;
}

/** Requests of one call that are priced at a time: others have their turns meanwhile. */
const AT_ONCE = 4;

/** `quoting` has the cache and the queue of single prices: each request of a list is one of these to it. */
export function createPriceLists(quoting: Pick<Quoting, "price">, market: Pick<MarketView, "current">): PriceLists {
  return {
    async prices(requests, context) {
      const at = marketFor(context);
      const results: PriceResult[] = [];
      await eachAtOnce(requests.entries(), context, async ([place, request]) => {
        results[place] = await resultOf(request, { ...context, at });
      });
      return listOf(at, results);
    },
    async ladder(requests, context) {
      const at = marketFor(context);
      const { full, between } = planLadder(requests.map(givenAmountOf));
      const results: PriceResult[] = [];
      const price = async (place: number, known: readonly KnownRoute[]) => {
        results[place] = await resultOf(requests[place] as SwapRequest, { ...context, at, known });
      };
      const routeAt = (place: number) => {
        const result = results[place];
        return result !== undefined && "answer" in result ? routeOf(result.answer) : [];
      };
      await eachAtOnce(full.values(), context, (place) => price(place, []));
      await eachAtOnce(between.values(), context, ({ place, from }) => price(place, from.flatMap(routeAt)));
      return listOf(at, results);
    },
  };

  /** @throws SwapError where nothing can be priced now */
  function marketFor({ at }: CallContext): Snapshot {
    const now = at === undefined ? market.current() : { snapshot: at };
    if ("unavailable" in now) throw refuse("UNAVAILABLE", now.unavailable);
    return now.snapshot;
  }

  async function resultOf(request: SwapRequest | SwapError, context: CallContext): Promise<PriceResult> {
    if (request instanceof SwapError) return { refusal: request };
    try {
      return { answer: await quoting.price(request, context) };
    } catch (error) {
      if (error instanceof SwapError) return { refusal: error };
      throw error;
    }
  }
}

function routeOf({ sellAmount, buyAmount, route, proof }: PriceAnswer): KnownRoute {
  const uses = route.fills.map(({ pool, from, to }) => ({ poolId: pool, sellToken: from, buyToken: to }));
  return { sellAmount, buyAmount, uses, ...(proof && { proof }) };
}

/** Does work for each item, a few at a time, until some of it fails. @throws SwapError where the caller has left */
async function eachAtOnce<T>(
  items: Iterator<T> & Iterable<T>,
  { signal }: CallContext,
  work: (item: T) => Promise<void>,
) {
  let hasFailed = false;
  const workNext = async (): Promise<void> => {
    // The iterator is shared: each item is taken once.
    for (const item of items) {
      if (hasFailed) return;
      if (signal.aborted) throw deadlinePassed();
      await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workNext));
}

function listOf({ chainId, block }: Snapshot, results: readonly PriceResult[]): PriceList {
  return { chainId, block, results };
}
