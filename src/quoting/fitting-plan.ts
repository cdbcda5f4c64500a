import { fillsOf, type PoolId, type Route } from "../domain/route.ts";
import type { SwapRequest } from "./answers.ts";
import { isIndicative } from "./firm-orders.ts";
import { modelledGas } from "./gas.ts";
import { tooHeavy } from "./no-route.ts";
import { actionsIn, type Plan, planOf } from "./plan.ts";
import type { SettleSetting } from "./settle-setting.ts";
import { searchTested } from "./tested-tokens.ts";

/**
 * The best plan that one transaction can carry: where the best route's has more gas than the chain lets it have, or more
 * bytes than its layout, fewer pools are touched.
 * @throws SwapError telling why there is no route, or that a single pool takes too much gas.
 */
export async function fittingPlan(
  request: SwapRequest,
  setting: SettleSetting,
  without: ReadonlySet<PoolId>,
): Promise<Plan> {
  for (let { budget } = setting; ; ) {
    const found = await searchTested(request, { ...setting, budget }, without);
    if (!found.found) throw await found.explain();
    const plan = planOf(request, found, setting.deadline, setting.snapshot.graph);
    const load = loadOf(plan, setting);
    if (load <= 1) return plan;
    // Wrapping the native token is a fill that no budget counts. Less than a whole touch fewer is one fewer.
    const maxFills = Math.floor(Math.min(fillsOf(plan.route).length, budget.maxFills) / load);
    if (maxFills === 0) throw tooHeavy(request, setting.snapshot.mostGas);
    budget = { ...budget, maxFills };
  }
}

/** Whether a route is a transaction already: not without the contracts, which no saved market has, nor over makers' levels. */
export function hasTransaction(route: Route, { settlement, snapshot }: SettleSetting): boolean {
  return settlement.deployed === true && !isIndicative(route, snapshot.graph);
}

/** What a plan's transaction takes, as a part of what it may take; of one that is none yet its gas is known alone. */
function loadOf({ route, terms }: Plan, setting: SettleSetting): number {
  const { settlement, snapshot, sources } = setting;
  const { limit } = modelledGas(settlement.gas(route, terms));
  const gas = Number(limit) / Number(snapshot.mostGas);
  return hasTransaction(route, setting) ? Math.max(gas, settlement.fullness(route, actionsIn(snapshot, sources))) : gas;
}
