import { pointCurve } from "../float/point-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import { DODO_GAS } from "./gas.ts";
import type { Side } from "./side.ts";

/** A reserve that is traded down from a target, as floats. */
interface Branch {
  readonly held: number;
  readonly target: number;
}

/** The float view of a direction: back to the targets along the sold reserve, then down the bought one. */
export function dodoCurve({ state, sell, buy, pricing, way, wayPays }: Side, maxSell: number): PoolCurve {
  const [i, k] = [Number(pricing.i) / 1e18, Number(pricing.k) / 1e18];
  const keep = 1 - Number(state.lpFee + state.maintainerFee) / 1e18;
  const target = Number(state.targets[buy]);
  const down: Branch = { target, held: way === undefined && state.r !== "ONE" ? Number(state.reserves[buy]) : target };
  const [soldTarget, sold] = [Number(state.targets[sell]), Number(state.reserves[sell])];
  const [back, backPays] = [Number(way ?? 0n), Number(wayPays)];
  return pointCurve({
    at(sellAmount, point) {
      if (sellAmount < back) {
        const held = sold + sellAmount;
        point[0] = keep * Math.min(backPays, i * sellAmount * (1 - k + (k * soldTarget * soldTarget) / (sold * held)));
        point[1] = keep * i * (1 - k + k * (soldTarget / held) ** 2);
        return;
      }
      const left = leftOf(down, i * (sellAmount - back), k);
      point[0] = keep * (backPays + left.paid);
      point[1] = (keep * i) / (1 - k + k * (target / left.held) ** 2);
    },
    ...{ maxSell, gas: Number(DODO_GAS), concave: true },
  });
}

/**
 * Reserve that is left of one once `fair` has been paid for at the price of its target: the positive root of
 * (1 - k) x² + b x - k V0² for b = k V0² / V + fair - (1 - k) V. The payment is worked out as a difference, so that small ones
 * lose no digits: its own root of (1 - k) p² - (b + 2 (1 - k) V) p + fair V.
 */
function leftOf({ held, target }: Branch, fair: number, k: number): { readonly held: number; readonly paid: number } {
  if (fair <= 0) return { held, paid: 0 };
  if (k === 0) return { held: Math.max(0, held - fair), paid: Math.min(held, fair) };
  const linear = (k * target * target) / held + fair + (1 - k) * held;
  const paid = (2 * fair * held) / (linear + Math.sqrt(Math.max(0, linear * linear - 4 * (1 - k) * fair * held)));
  return { held: held - paid, paid };
}
