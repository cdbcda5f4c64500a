import { pointCurve } from "../float/point-curve.ts";
import { paidOnWayBack, type TargetWays, tradeAroundTargets } from "../float/target-curve.ts";
import type { PoolCurve } from "../pool-math.ts";
import { DODO_GAS } from "./gas.ts";
import type { Side } from "./side.ts";

/** Relative resolution of the float view. */
const NEAR = 1e-9;

/**
 * The float view of a direction: back to the targets along the sold reserve, then down the bought one. A price whose reciprocal has
 * few digits pays less on the way back than all of that way is worth, which the last unit makes up for: the view is not concave
 * there, and its ceiling pays as much for every unit.
 */
export function dodoCurve(side: Side, maxSell: number): PoolCurve {
  const ways = waysOf(side, 1);
  const integrated = ways.back === undefined ? 0 : paidOnWayBack(ways.back, ways.back.amount);
  const lacks = integrated > 0 ? Number(side.wayPays) / integrated : 1;
  const curve = curveAt(side, maxSell, ways);
  return lacks > 1 + NEAR ? { ...curve, concave: false, ceiling: curveAt(side, maxSell, waysOf(side, lacks)) } : curve;
}

/** The ways of a direction with `times` as much paid on the way back. */
function waysOf({ state, sell, buy, pricing, way, wayPays }: Side, times: number): TargetWays {
  const [price, k] = [Number(pricing.i) / 1e18, Number(pricing.k) / 1e18];
  const target = Number(state.targets[buy]);
  const held = way === undefined && state.r !== "ONE" ? Number(state.reserves[buy]) : target;
  const back = way !== undefined && {
    ...{ price: times * price, k, held: Number(state.reserves[sell]), target: Number(state.targets[sell]) },
    ...{ amount: Number(way), pays: Number(wayPays) },
  };
  return { back: back || undefined, down: { price, k, target, held } };
}

function curveAt({ state }: Side, maxSell: number, ways: TargetWays): PoolCurve {
  const keep = 1 - Number(state.lpFee + state.maintainerFee) / 1e18;
  return pointCurve({
    at(sellAmount, point) {
      tradeAroundTargets(ways, sellAmount, point);
      point[0] = keep * (point[0] as number);
      point[1] = keep * (point[1] as number);
    },
    ...{ maxSell, gas: Number(DODO_GAS), concave: true },
  });
}
