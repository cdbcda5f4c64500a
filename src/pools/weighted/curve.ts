import type { Direction, PoolCurve } from "../pool-math.ts";
import type { WeightedPair } from "./formula.ts";

/** The largest amount that contracts know. */
const MOST = 2 ** 256;

/** Limit of one pool use in a direction, in base units, and its gas. */
export interface WeightedUse {
  readonly maxSell: number;
  readonly maxBuy: number;
  readonly gas: number;
  /** Gas of a pool use with a given output. */
  readonly gasToBuy: number;
}

/**
 * The float view of one direction: out = B (1 - (I / (I + in))^r), r the ratio of the weights. A contract that is asked for
 * an exact output limits what goes out at once, and not what comes in for it.
 *
 * The largest amount of a pool of several tokens grows with what other pairs of it have brought before: its ceiling is the
 * curve without that limit. Exact-out swaps use a pool once, so that what it gives at once is all that it gives them.
 */
export function weightedCurve(
  state: { readonly scales: readonly (bigint | number)[]; readonly swapFee: bigint },
  pair: WeightedPair,
  { sell, buy }: Direction,
  { maxSell, maxBuy, gas, gasToBuy }: WeightedUse,
): PoolCurve {
  const sellScale = Number(state.scales[sell]) * (1 - Number(state.swapFee) / 1e18);
  const unit = Number(pair.balanceIn) / sellScale;
  const other = Number(pair.balanceOut) / Number(state.scales[buy]);
  const power = Number(pair.weightIn) / Number(pair.weightOut);
  const shape = (most: number) => ({ ...weightedShape(unit, other, power, most, gas), gasToBuy });
  const costOfMost = unit * Math.expm1(-Math.log1p(-maxBuy / other) / power);
  const ceiling = state.scales.length > 2 && { ceiling: shape(MOST) };
  return { ...shape(maxSell), toBuy: shape(costOfMost), ...ceiling };
}

/** Curve by the amount in that doubles the sold token, the balance of the bought one, and the ratio of the weights. */
export function weightedShape(unit: number, other: number, power: number, maxSell: number, gas: number): PoolCurve {
  const first = (power * other) / unit;
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const grown = (sellAmount: number) => Math.log1p(clamp(sellAmount) / unit);
  const paid = (growth: number) => -Math.expm1(-power * growth) * other;
  const full = grown(maxSell);
  return {
    marginalRate: (sellAmount) => first * Math.exp(-(power + 1) * grown(sellAmount)),
    buyAmountFor: (sellAmount) => paid(grown(sellAmount)),
    sellAmountAtRate: (rate) => (rate <= 0 ? maxSell : clamp(Math.expm1(Math.log(first / rate) / (power + 1)) * unit)),
    tradeAtRate(rate, trade) {
      const growth = rate <= 0 ? full : Math.max(0, Math.log(first / rate) / (power + 1));
      const inside = growth < full;
      trade[0] = inside ? Math.expm1(growth) * unit : maxSell;
      trade[1] = paid(inside ? growth : full);
      trade[2] = inside && growth > 0 ? ((trade[0] as number) + unit) / (power + 1) : 0;
    },
    maxSell,
    gas,
    concave: true,
  };
}
