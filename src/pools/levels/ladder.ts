import { mulDivRoundingUp } from "../../math/full-math.ts";
import { straightCurve } from "../float/straight-curve.ts";
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
  let best = Number.POSITIVE_INFINITY;
  const straight = levels.map(({ takerAmount, makerAmount }) => {
    const [sells, pays] = [Number(takerAmount), Number(makerAmount)];
    // Rounding in floats must not make a later level better.
    best = Math.min(pays / sells, best);
    return { sells, pays, rate: best };
  });
  return straightCurve(straight, Number(gas));
}
