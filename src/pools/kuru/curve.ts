import { straightCurve } from "../float/straight-curve.ts";
import { stretchOf } from "../float/stretch-of.ts";
import type { PoolCurve, StraightLevel } from "../pool-math.ts";
import { kuruGas } from "./gas.ts";
import type { KuruSideName, KuruState } from "./state.ts";
import { BPS, leftOf, stepsOf, WAD } from "./steps.ts";

/** A straight stretch of the float view, and the gas of a trade that ends in it. */
interface FloatLevel extends StraightLevel {
  readonly gas: number;
}

/** The float view of one side: straight within a level, and within an order of the vault. Undefined where nothing is known. */
export function kuruCurve(state: KuruState, side: KuruSideName, maxSell: bigint): PoolCurve | undefined {
  const levels = floatLevelsOf(state, side, Number(maxSell));
  const [first] = levels;
  if (first === undefined) return undefined;
  let [sold, bought] = [0, 0];
  const stretches = levels.flatMap(({ sells, rate, gas }) => {
    [sold, bought] = [sold + sells, bought + sells * rate];
    return [sold, bought, gas];
  });
  return {
    ...straightCurve(levels, first.gas),
    gasFor: (sellAmount) => stretches[stretchOf(stretches, sellAmount) + 2] as number,
    gasStretches: () => stretches,
  };
}

/** No more in all than `most`: a part of a base unit cannot be sold. */
function floatLevelsOf(state: KuruState, side: KuruSideName, most: number): readonly FloatLevel[] {
  const found: FloatLevel[] = [];
  let [levels, orders, left, best] = [0, 0, most, Number.POSITIVE_INFINITY];
  const add = (size: bigint, price: number) => {
    const base = (Number(size) * Number(state.units[0])) / Number(state.precisions[0]);
    const { sells, rate } = floatOf(state, side, base, price);
    if (sells === 0 || left <= 0) return;
    // Rounding in floats must not make a later level better.
    best = Math.min(best, rate);
    found.push({ sells: Math.min(sells, left), rate: best, gas: Number(kuruGas(levels, orders)) });
    left -= sells;
  };
  for (const step of stepsOf(state, side)) {
    if ("level" in step) {
      levels++;
      add(step.level.size, Number(step.level.price) / Number(state.precisions[1]));
      continue;
    }
    for (const order of step.orders) {
      orders++;
      add(leftOf(order), Number(order.price) / Number(WAD));
    }
  }
  return found;
}

/** A trade of so many base units of the base token at a price of whole tokens. */
function floatOf({ units, takerFee }: KuruState, side: KuruSideName, base: number, price: number): StraightLevel {
  const [kept, inUnits] = [1 - takerFee / Number(BPS), (price * Number(units[1])) / Number(units[0])];
  return side === "bidSide" ? { sells: base, rate: inUnits * kept } : { sells: base * inUnits, rate: kept / inUnits };
}
