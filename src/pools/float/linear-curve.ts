import type { PoolCurve } from "../pool-math.ts";

/** The float view of a pool that pays the same rate for every amount up to `maxSell`; none where nothing can be sold. */
export function linearCurve(rate: number, maxSell: bigint, gas: bigint): PoolCurve | undefined {
  if (maxSell <= 0n) return undefined;
  const most = Number(maxSell);
  return {
    marginalRate: () => rate,
    buyAmountFor: (sellAmount) => rate * Math.min(most, Math.max(0, sellAmount)),
    sellAmountAtRate: (wanted) => (wanted <= rate ? most : 0),
    levels: [{ sells: most, rate }],
    maxSell: most,
    gas: Number(gas),
    concave: true,
  };
}
