import type { PoolCurve } from "../pool-math.ts";

/** One direction of a pool of two reserves, as floats in base units. */
export interface FloatReserves {
  readonly sold: number;
  readonly bought: number;
  /** The part of what goes in that stays after the fee. */
  readonly keep: number;
  readonly maxSell: number;
}

/** The float view of a pool that keeps the product of its reserves: bought * x / (sold + x) for what is left after the fee. */
export function hyperbolaCurve({ sold, bought, keep, maxSell }: FloatReserves, gas: number): PoolCurve {
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  return {
    marginalRate(sellAmount) {
      const after = sold + keep * clamp(sellAmount);
      return (keep * bought * sold) / (after * after);
    },
    buyAmountFor(sellAmount) {
      const net = keep * clamp(sellAmount);
      return (bought * net) / (sold + net);
    },
    sellAmountAtRate: (rate) => (rate <= 0 ? maxSell : clamp((Math.sqrt((keep * bought * sold) / rate) - sold) / keep)),
    maxSell,
    gas,
    concave: true,
  };
}
