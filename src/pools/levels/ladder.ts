import { mulDivRoundingUp } from "../../math/full-math.ts";
import type { PoolCurve } from "../pool-math.ts";
import type { Level } from "./state.ts";

/** All that a ladder takes in and gives. */
export function capacityOf(levels: readonly Level[]): { readonly takerAmount: bigint; readonly makerAmount: bigint } {
  let [takerAmount, makerAmount] = [0n, 0n];
  for (const level of levels) {
    takerAmount += level.takerAmount;
    makerAmount += level.makerAmount;
  }
  return { takerAmount, makerAmount };
}

/** Payment for `sold`, best level first, the last one in part and rounded down. `sold` is within the capacity. */
export function payoutFor(levels: readonly Level[], sold: bigint): bigint {
  let [left, paid] = [sold, 0n];
  for (const { takerAmount, makerAmount } of levels) {
    if (left < takerAmount) return paid + (left * makerAmount) / takerAmount;
    left -= takerAmount;
    paid += makerAmount;
  }
  return paid;
}

/** The least that brings `bought`. `bought` is within the capacity. */
export function costOf(levels: readonly Level[], bought: bigint): bigint {
  let [left, cost] = [bought, 0n];
  for (const { takerAmount, makerAmount } of levels) {
    if (left < makerAmount) return cost + mulDivRoundingUp(left, takerAmount, makerAmount);
    left -= makerAmount;
    cost += takerAmount;
  }
  return cost;
}

/** Remainder of a ladder after `sold` went in and `paid` came out. */
export function remainderOf(levels: readonly Level[], sold: bigint, paid: bigint): readonly Level[] {
  let [left, due] = [sold, paid];
  for (const [index, { takerAmount, makerAmount }] of levels.entries()) {
    if (left < takerAmount) {
      const rest = { takerAmount: takerAmount - left, makerAmount: makerAmount - due };
      return rest.makerAmount > 0n ? [rest, ...levels.slice(index + 1)] : levels.slice(index + 1);
    }
    left -= takerAmount;
    due -= makerAmount;
  }
  return [];
}

/** The float view of a ladder: straight within a level, so that the rate at a level's end is still that level's. */
export function ladderCurve(levels: readonly Level[], gas: bigint): PoolCurve | undefined {
  if (levels.length === 0) return undefined;
  const ends: number[] = [];
  const paid: number[] = [];
  const rates: number[] = [];
  let [sum, bought] = [0, 0];
  for (const level of levels) {
    const [taker, maker] = [Number(level.takerAmount), Number(level.makerAmount)];
    sum += taker;
    bought += maker;
    ends.push(sum);
    paid.push(bought);
    // Rounding in floats must not make a later level better.
    rates.push(Math.min(maker / taker, rates.at(-1) ?? Number.POSITIVE_INFINITY));
  }
  const last = levels.length - 1;
  const levelAt = (sellAmount: number) => {
    let index = 0;
    while (index < last && sellAmount > (ends[index] as number)) index++;
    return index;
  };
  return {
    marginalRate: (sellAmount) => rates[levelAt(sellAmount)] as number,
    buyAmountFor(sellAmount) {
      const index = levelAt(sellAmount);
      const [start, before] = index === 0 ? [0, 0] : [ends[index - 1] as number, paid[index - 1] as number];
      const sold = Math.min(sum, Math.max(0, sellAmount));
      return Math.min(paid[index] as number, before + (sold - start) * (rates[index] as number));
    },
    sellAmountAtRate(rate) {
      let index = 0;
      while (index <= last && (rates[index] as number) >= rate) index++;
      return index === 0 ? 0 : (ends[index - 1] as number);
    },
    levels: levels.map(({ takerAmount }, i) => ({ sells: Number(takerAmount), rate: rates[i] as number })),
    maxSell: sum,
    gas: Number(gas),
    concave: true,
  };
}
