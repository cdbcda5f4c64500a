import type { PoolId } from "../../domain/route.ts";
import type { PriceCheck } from "./price-check.ts";

/** A Curve stableswap pool: several tokens of like value around one amplified invariant. */
export interface StableswapState {
  /** Balances of the pool without its admin's fees; base units. */
  readonly balances: readonly bigint[];
  /** Factors that, divided by 10^18, give all balances 18 decimals and one value. */
  readonly rates: readonly bigint[];
  /** Amplification on its way from one value to another, in the contract's own units, and when. Unix seconds. */
  readonly initialA: bigint;
  readonly futureA: bigint;
  readonly initialATime: bigint;
  readonly futureATime: bigint;
  /** Units of the contract's amplification that make one: 1 in the oldest pools, 100 since. */
  readonly aPrecision: bigint;
  /** Fee in parts of 10^10 of the amount out. */
  readonly fee: bigint;
  /** Part of the fee that leaves the pool's balances, in parts of 10^10. */
  readonly adminFee: bigint;
  /** StableSwap-NG: how much higher the fee gets far from the peg, in parts of 10^10; absent in older pools. */
  readonly offpegFeeMultiplier?: bigint;
  /** StableSwap-NG, and plain pools of two coins of the factory before it, divide by all coins at once, older ones coin by coin. */
  readonly generation: "old" | "ng";
  readonly killed: boolean;
  /**
   * Shares that there are, 18 decimals; absent where the pool's own share is not traded. Where it is, the share is one
   * token more, behind the coins.
   */
  readonly totalSupply?: bigint;
  /**
   * A metapool that asks for the virtual price of another pool, which is the rate of its last coin, at every exchange;
   * absent for the time being where it has kept one.
   */
  readonly basePool?: PoolId;
  /** A pool of two coins that refuses exchanges which leave its price too far from an oracle's; absent where none is refused. */
  readonly priceCheck?: PriceCheck;
}
