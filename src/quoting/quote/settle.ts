import type { Address } from "../../domain/address.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import { fillsOf, type PoolId } from "../../domain/route.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import { atMost, estimatedGas, type GasEstimate } from "../answer/gas.ts";
import { tokensOf } from "../answer/route-view.ts";
import { type CallContext, isSimulated, type SwapRequest } from "../answer/types.ts";
import type { SwapTransaction } from "../ports.ts";
import { limitImpact } from "../price/impact-limit.ts";
import { dependsOnMovedRate } from "../price/moved-rates.ts";
import { isModelled, type Plan, transactionOf } from "../price/plan.ts";
import { deadlinePassed } from "../search/past-deadline.ts";
import { exactPlan } from "./exact-plan.ts";
import { ordersOn } from "./firm-orders.ts";
import { type Fit, fittingPlan, gasByModel, hasTransaction } from "./fitting-plan.ts";
import { type Proof, prove } from "./prove-plan.ts";
import type { SettleSetting } from "./settle-context.ts";
import { admitTokensNow, holdersOn } from "./tested-tokens.ts";

/** Routes tried for one quote at most: the best, and after each that fails on the node the next best. */
const ATTEMPTS = 3;

/** A plan with its gas. */
export interface PricedPlan {
  readonly plan: Plan;
  readonly gas: GasEstimate;
}

/** A plan with its transaction and gas; `incomplete` when it could not be run on the node. */
export interface Settled extends PricedPlan {
  readonly transaction: SwapTransaction;
  readonly incomplete: boolean;
}

/**
 * The best route whose transaction does on the node what it promises. One that fails there, whoever sends it, is left
 * for the next best, and its pools are read again. One that may have run out of gas, by the model's limit, is left for one of fewer
 * pools, once: that is no pool's fault. Where makers' orders are on it, these alone are left out first: only a route without them
 * tells whose fault it was.
 * @throws SwapError when there is no route, when its impact is above the caller's limit, or when it would revert.
 */
export async function settle(request: SwapRequest, context: CallContext, setting: SettleSetting): Promise<Settled> {
  const without = new Set<PoolId>();
  let suspects: readonly PoolId[] = [];
  let failure: SwapError | undefined;
  let fit: Fit = "likely";
  let { budget } = setting;
  for (let attempt = 0; attempt < ATTEMPTS; ) {
    const plan = await exactPlan(request, { ...setting, budget }, without, fit).catch((error: unknown) => {
      // When no route is left, the failure that emptied the market says more than that.
      throw failure !== undefined && error instanceof SwapError ? failure : error;
    });
    limitImpact(request, plan.route, setting.snapshot.graph);
    const transaction = transactionOf(plan.route, plan.terms, setting);
    const modelled = gasByModel(plan, setting);
    const { mostGas } = setting.snapshot;
    if (request.skipValidation && modelled.limit <= mostGas && !needsProof(plan, setting)) {
      return { plan, transaction, gas: modelled, incomplete: false };
    }
    const proof = await prove(plan, transaction, request.taker, setting);
    if (context.signal.aborted) throw deadlinePassed();
    const orders = ordersOn(plan.route, setting.snapshot.graph);
    if (proof.kind === "proven") {
      setting.makers?.settled(orders, "filled");
      setting.makers?.settled(suspects, "failed");
      return { plan, transaction, gas: proof.gas, incomplete: false };
    }
    if (proof.kind === "unproven") {
      const gas = estimatedGas(proof.gasLimit, modelled);
      if (gas.limit <= mostGas) return { plan, transaction, gas, incomplete: true };
      fit = "surely";
      continue;
    }
    const maxFills = poolUses(plan, setting) - 1;
    if (modelled.limit > mostGas && maxFills > 0 && budget === setting.budget) {
      budget = { ...budget, maxFills };
      continue;
    }
    failure = refuse("TRANSACTION_REVERTS", `the transaction would fail: ${proof.reason}`);
    const pools = fillsOf(plan.route).flatMap(({ poolId }) => (orders.includes(poolId) ? [] : [poolId]));
    if (orders.length > 0) {
      if (proof.kind === "routeFails") {
        suspects = [...suspects, ...orders];
        setting.recheck(pools);
      }
      for (const order of orders) without.add(order);
      continue;
    }
    attempt += 1;
    if (proof.kind === "takerFails") throw failure;
    // A transaction that fails without the orders clears them.
    suspects = [];
    if (await setting.verdicts.testAgain(tokensOf(plan.route), holdersOn(plan.route))) {
      await admitTokensNow(request, setting);
      continue;
    }
    setting.recheck(pools);
    for (const pool of pools) if (!isWrapper(pool, setting)) without.add(pool);
  }
  throw failure;
}

/**
 * The best route for a price. Its gas is found out on the node where that is asked for and works, else by the model: that
 * never fails. Gas that is known for the route's pools is taken as it is. A route that does on the node something else than it should, for a token's sake, is left for the next best.
 * @throws SwapError when there is no route, or a token of the request turns out not to move exactly.
 */
export async function settlePrice(request: SwapRequest, setting: SettleSetting): Promise<PricedPlan> {
  const { knownGas } = setting;
  for (let attempt = 1; ; attempt++) {
    const plan = await (isSimulated(request) ? exactPlan : fittingPlan)(request, setting, new Set());
    const modelled = atMost(setting.snapshot.mostGas, gasByModel(plan, setting));
    if (!isSimulated(request) || !hasTransaction(plan.route, setting)) return { plan, gas: modelled };
    const pools = poolsOn(plan);
    const known = knownGas?.of(pools);
    if (known !== undefined) return { plan, gas: known };
    if (knownGas?.mayProve() === false) return { plan, gas: modelled };
    const proof: Proof = await prove(plan, transactionOf(plan.route, plan.terms, setting), request.taker, setting);
    const gas =
      proof.kind === "proven"
        ? proof.gas
        : proof.kind === "unproven"
          ? estimatedGas(proof.gasLimit, modelled)
          : modelled;
    const isLast = proof.kind !== "routeFails" || attempt === ATTEMPTS;
    if (isLast || !(await setting.verdicts.testAgain(tokensOf(plan.route), holdersOn(plan.route)))) {
      knownGas?.keep(pools, gas);
      return { plan, gas };
    }
    await admitTokensNow(request, setting);
  }
}

/** Names the pools of a plan in the order of its fills. */
function poolsOn({ route }: Plan): string {
  return fillsOf(route)
    .map(({ poolId, sellToken, buyToken }) => `${poolId} ${sellToken} ${buyToken}`)
    .join();
}

/** Most that a taker has to have and to have approved for a plan. */
export function neededOf({ terms }: Plan): { readonly token: Address; readonly amount: bigint } {
  return { token: terms.sellToken, amount: terms.maxSellAmount };
}

/** Number of a plan's fills that a budget counts: those but for wrapping. */
function poolUses({ route }: Plan, setting: SettleSetting): number {
  return fillsOf(route).filter(({ poolId }) => !isWrapper(poolId, setting)).length;
}

function isWrapper(id: PoolId, { snapshot, sources }: SettleSetting): boolean {
  const pool = snapshot.graph.pool(id);
  return pool !== undefined && sources.get(pool.source)?.wrapsNative === true;
}

/** Whether nothing but a run on the node shows that a plan does what it promises. */
function needsProof({ route }: Plan, { sources, verdicts, snapshot }: SettleSetting): boolean {
  if (isModelled(route, sources, snapshot) || dependsOnMovedRate(route, snapshot.graph)) return true;
  return tokensOf(route).some((token) => verdicts.isUntestable(token) || taxOf(snapshot.graph, token) !== undefined);
}
