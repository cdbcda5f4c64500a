import type { PoolId } from "../../domain/route.ts";
import type { SwapRequest } from "../answer/types.ts";
import { type Plan, planOf } from "../price/plan.ts";
import { withExactQuotes } from "./exact-quotes.ts";
import { type Fit, fittingPlan } from "./fitting-plan.ts";
import type { SettleSetting } from "./settle-context.ts";

/** Routes that are asked about for one request, before it does without all contracts that have to be asked. */
const MAX_ASKED = 3;

/**
 * The best plan that one transaction can carry, with the amounts that contracts on it have quoted where they have to be asked. A
 * pool whose contract quotes less than was read of it is looked into. That and one that is to take more than it can, since one
 * ahead of it pays more than was read, are put into `without`.
 * @throws SwapError as fittingPlan does
 */
export async function exactPlan(
  request: SwapRequest,
  setting: SettleSetting,
  without: Set<PoolId>,
  fit: Fit = "likely",
): Promise<Plan> {
  const { sources, snapshot, recheck, deadline } = setting;
  for (let attempt = 1; ; attempt++) {
    const plan = await fittingPlan(request, setting, without, fit);
    const asked = await withExactQuotes(plan.route, setting);
    if ("route" in asked) {
      if (asked.route === plan.route) return plan;
      // The certificate is of what pools say; what contracts pay more can be above its bound.
      return planOf(request, { found: true, route: asked.route }, deadline, snapshot);
    }
    if (asked.contradicted.length > 0) recheck(asked.contradicted);
    for (const id of asked.unfit) without.add(id);
    if (attempt < MAX_ASKED) continue;
    for (const { id, source } of snapshot.graph.all()) if (sources.get(source)?.ask !== undefined) without.add(id);
  }
}
