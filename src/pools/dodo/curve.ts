import { pointCurve } from "../float/point-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import { DODO_GAS } from "./gas.ts";
import type { Side } from "./side.ts";

/** A reserve that is traded down from a target, as floats. */
interface Branch {
  readonly held: number;
  readonly target: number;
}

/** Relative resolution of the float view. */
const NEAR = 1e-9;

/**
 * The float view of a direction: back to the targets along the sold reserve, then down the bought one. A price whose reciprocal has
 * few digits pays less on the way back than all of that way is worth, which the last unit makes up for: the view is not concave
 * there, and its ceiling pays as much for every unit.
 */
export function dodoCurve(side: Side, maxSell: number): PoolCurve {
  const { way, wayPays, pricing } = side;
  const integrated = wayPaid(side, Number(way ?? 0n), Number(pricing.i) / 1e18);
  const lacks = integrated > 0 ? Number(wayPays) / integrated : 1;
  const curve = curveAt(side, maxSell, 1);
  return lacks > 1 + NEAR ? { ...curve, concave: false, ceiling: curveAt(side, maxSell, lacks) } : curve;
}

/** Payment for `amount` of the way back, before fees. */
function wayPaid({ state, sell, pricing }: Side, amount: number, i: number): number {
  const [target, sold, k] = [Number(state.targets[sell]), Number(state.reserves[sell]), Number(pricing.k) / 1e18];
  return i * amount * (1 - k + (k * target * target) / (sold * (sold + amount)));
}

/** The view with `times` as much paid on the way back. */
function curveAt(side: Side, maxSell: number, times: number): PoolCurve {
  const { state, sell, buy, pricing, way, wayPays } = side;
  const [i, k] = [Number(pricing.i) / 1e18, Number(pricing.k) / 1e18];
  const keep = 1 - Number(state.lpFee + state.maintainerFee) / 1e18;
  const target = Number(state.targets[buy]);
  const down: Branch = { target, held: way === undefined && state.r !== "ONE" ? Number(state.reserves[buy]) : target };
  const [soldTarget, sold] = [Number(state.targets[sell]), Number(state.reserves[sell])];
  const [back, backPays] = [Number(way ?? 0n), Number(wayPays)];
  return pointCurve({
    at(sellAmount, point) {
      if (way !== undefined && sellAmount <= back) {
        point[0] = keep * Math.min(backPays, wayPaid(side, sellAmount, times * i));
        point[1] = keep * times * i * (1 - k + k * (soldTarget / (sold + sellAmount)) ** 2);
        return;
      }
      const left = leftOf(down, i * (sellAmount - back), k);
      point[0] = keep * (backPays + left.paid);
      point[1] = k === 0 ? keep * i : (keep * i) / (1 - k + k * (target / left.held) ** 2);
    },
    ...{ maxSell, gas: Number(DODO_GAS), concave: true },
  });
}

/**
 * Reserve that is left of one once `fair` has been paid for at the price of its target: the positive root of
 * (1 - k) x² + b x - k V0² for b = k V0² / V + fair - (1 - k) V. The payment has a root of its own, that of
 * (1 - k) p² - (b + 2 (1 - k) V) p + fair V: neither loses the digits of a difference.
 */
function leftOf({ held, target }: Branch, fair: number, k: number): { readonly held: number; readonly paid: number } {
  if (fair <= 0) return { held, paid: 0 };
  if (k === 0) return { held: Math.max(0, held - fair), paid: Math.min(held, fair) };
  const linear = (k * target * target) / held + fair + (1 - k) * held;
  const paid = (2 * fair * held) / (linear + Math.sqrt(Math.max(0, linear * linear - 4 * (1 - k) * fair * held)));
  const b = (k * target * target) / held + fair - (1 - k) * held;
  const root = Math.sqrt(b * b + 4 * (1 - k) * k * target * target);
  return { held: b > 0 ? (2 * k * target * target) / (b + root) : (root - b) / (2 * (1 - k)), paid };
}
