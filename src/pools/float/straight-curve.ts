import type { PoolCurve, StraightLevel } from "../pool-math.ts";

/** A stretch of a ladder in floats. `pays` is what is paid for all of it, where that is not just its rate. */
interface FloatLevel extends StraightLevel {
  readonly pays?: number;
}

/** The float view of levels of which none is better than the one before. `levels` has at least one. */
export function straightCurve(levels: readonly FloatLevel[], gas: number): PoolCurve {
  const ends: number[] = [];
  const paid: number[] = [];
  let [sum, bought] = [0, 0];
  for (const { sells, rate, pays = sells * rate } of levels) {
    sum += sells;
    bought += pays;
    ends.push(sum);
    paid.push(bought);
  }
  const last = levels.length - 1;
  const rateOf = (index: number) => (levels[index] as FloatLevel).rate;
  const levelAt = (sellAmount: number) => {
    let index = 0;
    while (index < last && sellAmount > (ends[index] as number)) index++;
    return index;
  };
  return {
    marginalRate: (sellAmount) => rateOf(levelAt(sellAmount)),
    buyAmountFor(sellAmount) {
      const index = levelAt(sellAmount);
      const [start, before] = index === 0 ? [0, 0] : [ends[index - 1] as number, paid[index - 1] as number];
      const sold = Math.min(sum, Math.max(0, sellAmount));
      return Math.min(paid[index] as number, before + (sold - start) * rateOf(index));
    },
    sellAmountAtRate(rate) {
      let index = 0;
      while (index <= last && rateOf(index) >= rate) index++;
      return index === 0 ? 0 : (ends[index - 1] as number);
    },
    levels: levels.map(({ sells, rate }) => ({ sells, rate })),
    maxSell: sum,
    gas,
    concave: true,
  };
}
