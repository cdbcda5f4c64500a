import type { Direction, PoolCurve } from "../pool-math.ts";
import type { WeightedPair } from "./formula.ts";
import { WEIGHTED_GAS } from "./gas.ts";

/** The float view of one direction: out = B (1 - (I / (I + in))^r), r the ratio of the weights. */
export function weightedCurve(
  state: { readonly scales: readonly (bigint | number)[]; readonly swapFee: bigint },
  pair: WeightedPair,
  { sell, buy }: Direction,
  maxSell: number,
): PoolCurve {
  const sellScale = Number(state.scales[sell]) * (1 - Number(state.swapFee) / 1e18);
  const buyScale = Number(state.scales[buy]);
  const [held, other] = [Number(pair.balanceIn), Number(pair.balanceOut)];
  const power = Number(pair.weightIn) / Number(pair.weightOut);
  const first = (power * other * sellScale) / (held * buyScale);
  const clamp = (amount: number) => Math.min(maxSell, Math.max(0, amount));
  const grown = (sellAmount: number) => Math.log1p((clamp(sellAmount) * sellScale) / held);
  return {
    marginalRate: (sellAmount) => first * Math.exp(-(power + 1) * grown(sellAmount)),
    buyAmountFor: (sellAmount) => (-Math.expm1(-power * grown(sellAmount)) * other) / buyScale,
    sellAmountAtRate: (rate) =>
      rate <= 0 ? maxSell : clamp((Math.expm1(Math.log(first / rate) / (power + 1)) * held) / sellScale),
    maxSell,
    gas: Number(WEIGHTED_GAS),
    concave: true,
  };
}
