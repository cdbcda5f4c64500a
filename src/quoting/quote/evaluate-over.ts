import type { Fill, Route } from "../../domain/route.ts";
import type { Pool } from "../../pools/pool.ts";
import { directionOf } from "../../pools/pool-math.ts";
import { type BrokenPlan, evaluatePlan, type PlannedFill } from "../../routing/plan/execution.ts";

/** A route's trade over other pools, or the same ones in other states, with the same shares. `time`: unix seconds of its block. */
export function evaluateOver(route: Route, poolOf: (fill: Fill) => Pool | undefined, time: bigint): Route | BrokenPlan {
  const plan = route.fills.flatMap((fill): readonly PlannedFill[] => {
    const pool = poolOf(fill);
    if (pool === undefined) return [];
    const direction = directionOf(pool, fill.sellToken, fill.buyToken);
    return [{ pool, direction, share: fill.share }];
  });
  if (plan.length < route.fills.length) return { broken: [] };
  const { sellToken, buyToken, sellAmount, buyAmount } = route;
  return route.kind === "exactIn"
    ? evaluatePlan(plan, { kind: route.kind, sellToken, buyToken, sellAmount }, time)
    : evaluatePlan(plan, { kind: route.kind, sellToken, buyToken, buyAmount }, time);
}
