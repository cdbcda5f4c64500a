import { fillsOf, type PoolId } from "../domain/route.ts";
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

/** What a plan's transaction takes, as a part of what it may take. */
function loadOf({ route, terms }: Plan, { settlement, snapshot, sources }: SettleSetting): number {
  const { limit } = modelledGas(settlement.gas(route, terms));
  const gas = Number(limit) / Number(snapshot.mostGas);
  // Without the contracts there is no transaction, nor over makers' levels, and a saved market's sources know of none.
  if (!settlement.deployed || isIndicative(route, snapshot.graph)) return gas;
  return Math.max(gas, settlement.fullness(route, actionsIn(snapshot, sources)));
}
