import type { BlockRef } from "../../domain/block.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { CallContext, PriceAnswer, Quoting, SwapRequest } from "../answer/types.ts";
import type { MarketView } from "../ports.ts";
import { deadlinePassed } from "../search/past-deadline.ts";

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
}

/** Requests of one call that are priced at a time: others have their turns meanwhile. */
const AT_ONCE = 4;

/** `quoting` has the cache and the queue of single prices: each request of a list is one of these to it. */
export function createPriceLists(quoting: Pick<Quoting, "price">, market: Pick<MarketView, "current">): PriceLists {
  return {
    async prices(requests, context) {
      const now = context.at === undefined ? market.current() : { snapshot: context.at };
      if ("unavailable" in now) throw refuse("UNAVAILABLE", now.unavailable);
      const { snapshot } = now;
      const results: PriceResult[] = [];
      const left = requests.entries();
      const priceNext = async (): Promise<void> => {
        // The iterator is shared: each request is taken once.
        for (const [index, request] of left) {
          if (context.signal.aborted) throw deadlinePassed();
          results[index] = await resultOf(request, { ...context, at: snapshot });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, priceNext));
      return { chainId: snapshot.chainId, block: snapshot.block, results };
    },
  };

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
