import { fillsOf, type PoolId, type Route } from "../../domain/route.ts";
import type { GasEstimate } from "../answer/gas.ts";
import type { SwapRequest } from "../answer/types.ts";
import { type Plan, planOf } from "../price/plan.ts";
import { transactionTooLarge } from "../search/no-route.ts";
import { isIndicative } from "./firm-orders.ts";
import type { SettleSetting } from "./settle-context.ts";
import { searchTested } from "./tested-tokens.ts";

/**
 * Way in which a plan has to fit into the most gas that a transaction may have: as it is likely to be proven, or by the
 * model's limit, which counts everything as cold.
 */
export type Fit = "likely" | "surely";

/** The part of what a plan is expected to use that its proven limit comes to, about. */
const LIKELY = { num: 36n, den: 25n } as const;

/**
 * The best plan that one transaction can carry: where the best route's needs more gas than the chain lets it have, fewer
 * pools are used.
 * @throws SwapError telling why there is no route, or that a single pool takes too much gas.
 */
export async function fittingPlan(
  request: SwapRequest,
  setting: SettleSetting,
  without: ReadonlySet<PoolId>,
  fit: Fit = "likely",
): Promise<Plan> {
  for (let { budget } = setting; ; ) {
    const found = await searchTested(request, { ...setting, budget }, without);
    if (!found.found) throw await found.explain();
    const plan = planOf(request, found, setting.deadline, setting.snapshot);
    const { expected, limit } = gasByModel(plan, setting);
    const needed = fit === "surely" ? limit : (expected * LIKELY.num) / LIKELY.den;
    const load = Number(needed) / Number(setting.snapshot.mostGas);
    if (load <= 1) return plan;
    // Wrapping the native token is a fill that no budget counts. Less than a whole pool use fewer is one fewer.
    const maxFills = Math.floor(Math.min(fillsOf(plan.route).length, budget.maxFills) / load);
    if (maxFills === 0) throw transactionTooLarge(request, setting.snapshot.mostGas);
    budget = { ...budget, maxFills };
  }
}

/**
 * Whether a route is a transaction already: not without the contracts, which no saved market has, nor over makers'
 * levels.
 */
export function hasTransaction(route: Route, { settlement, snapshot }: SettleSetting): boolean {
  return settlement.deployed === true && !isIndicative(route, snapshot.graph);
}

/** Gas of a plan by the model: what pools in use take, and what suffices where nothing was ever written before. */
export function gasByModel({ route, terms }: Plan, { settlement, snapshot }: SettleSetting): GasEstimate {
  return {
    expected: settlement.gas(route, terms),
    limit: settlement.gasLimit(route, terms, snapshot.graph.pool),
  };
}
