import type { Address } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Ratio } from "../domain/ratio.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";

/** Request to one maker for a signed order. */
export interface FirmOrderRequest {
  readonly source: SourceId;
  /** Token that the maker gets. */
  readonly takerToken: Address;
  /** Token that the maker gives. */
  readonly makerToken: Address;
  /** The one amount that the order has to have as it is. Base units. */
  readonly amount:
    | { readonly kind: "exactIn"; readonly takerAmount: bigint }
    | { readonly kind: "exactOut"; readonly makerAmount: bigint };
  /** Level of the maker that the route uses; undefined for a maker that shows none. */
  readonly level:
    | {
        /** The other amount of the order: exact-in the least that the maker gives, exact-out the most that it takes. */
        readonly amount: bigint;
        /** Bought per sold base unit of the first level. */
        readonly spot: Ratio;
      }
    | undefined;
}

/** For whom and until when firm orders are asked for. */
export interface FirmOrderContext {
  readonly requestId: string;
  /** The end taker, who learns of nothing and is named to the makers that are asked. */
  readonly taker: Address;
  /** Block at which makers' balances and approvals are read. */
  readonly at: BlockRef;
  /** Unix seconds that the lives of orders are counted from. */
  readonly from: bigint;
  /** The call's own end: makers get no longer than that. Milliseconds since the epoch. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Market makers. Their levels are among the pools of the market's snapshots. */
export interface MakerDesk {
  /** The makers that show no levels and deal in a pair: they are asked whenever it is traded for a taker. */
  quotersOf(takerToken: Address, makerToken: Address): readonly SourceId[];
  /**
   * Asks makers for firm orders, all at the same time and each once. The good ones that came in time, as pools. Never
   * throws: a maker that is slow, refuses, or signs anything else than it was asked for is left out and scored for it.
   */
  firmOrders(asks: readonly FirmOrderRequest[], occasion: FirmOrderContext): Promise<readonly Pool[]>;
  /** Reports the outcome of orders whose quote was simulated. */
  settled(orders: readonly PoolId[], outcome: "filled" | "failed"): void;
}
