import { type PoolId, SHARE_ONE } from "../domain/route.ts";
import { isShort, netOf } from "./flow/goal.ts";
import { resplit } from "./flow/resplit.ts";
import type { Split } from "./flow/solve-split.ts";
import { createEdgeStore, type EdgeStore } from "./graph/edge-store.ts";
import { type Wrappers, wrappersOf } from "./graph/naming.ts";
import { startingFlow } from "./paths/starting-flow.ts";
import { type BrokenPlan, evaluatePlan, tokenPairOf } from "./plan/execution.ts";
import { wrapSteps } from "./plan/plan.ts";
import type { NoRoute, RouteRequest, RouteResult, Router, SearchBudget } from "./router.ts";
import { anyFlows } from "./search/any-flows.ts";
import { certify } from "./search/certify.ts";
import { type Evaluated, evaluate } from "./search/integers.ts";
import { missedPath } from "./search/missed-path.ts";
import { nearAnswer, startOf } from "./search/near-start.ts";
import { anotherRound, withoutRounded } from "./search/rounding.ts";
import { searchFlow } from "./search/search.ts";
import { tighten } from "./search/tighten.ts";
import { createSearch, type Search } from "./session/search.ts";
import { isProven, tighterLimits } from "./session/tighter-limits.ts";
import { createWorkspace, type Workspace } from "./session/workspace.ts";

/** A router that chooses in floats and answers in integers. It remembers the curves of pools that did not change. */
export function createRouter(): Router {
  const store = createEdgeStore();
  const workspace = createWorkspace();
  return {
    findBest(request) {
      const searches: Search[] = [];
      const find = (budget: SearchBudget) => findBest(store, workspace, { ...request, budget }, searches);
      const result = bestWithin(request, find);
      request.budget.spent?.(searches.reduce((sum, { work }) => sum + work.steps, 0));
      return result;
    },
  };
}

/**
 * Part of what a flow is worth that its integers may be below: with more, what pools that integers cannot use were to carry is
 * searched for anew without them.
 */
const FAR_BELOW = 1e-3;
/** Searches of one request from which on none is begun anew. */
const MAX_SEARCHES = 3;

/** The best route within the limits of a request, those that tighter limits lead to among them where these are few. */
function bestWithin(request: RouteRequest, find: (budget: SearchBudget) => RouteResult): RouteResult {
  const { budget, order, isAnyEnough } = request;
  let best = find(budget);
  if (isAnyEnough === true) return best;
  for (const tighter of tighterLimits(budget)) {
    if (budget.expired() || isProven(best)) break;
    const other = find(tighter);
    if (!other.found || other.certificate === undefined) continue;
    // A proof within tighter limits says nothing about other routes.
    if (!best.found) return { found: true, route: other.route };
    const { achieved } = other.certificate;
    if (best.certificate !== undefined && isMore(order.kind, achieved, best.certificate.achieved))
      best = { ...other, certificate: { bound: best.certificate.bound, achieved } };
  }
  return best;
}

/** `searches` gets all that are made. */
function findBest(store: EdgeStore, workspace: Workspace, request: RouteRequest, searches: Search[]): RouteResult {
  const { order } = request;
  const wrappers = wrappersOf(request.graph, request.allows);
  const graph = store.graph(request.graph, wrappers);
  const source = graph.nodeOf(order.sellToken);
  const sink = graph.nodeOf(order.buyToken);
  if (source === undefined || sink === undefined) return { found: false, reason: { kind: "NO_PATH" } };
  if (source === sink) return wrapOnly(request, wrappers);
  const begin = () => {
    const search = createSearch(request, graph, workspace, wrappers, source, sink);
    searches.push(search);
    return search;
  };
  const search = begin();
  if (request.isAnyEnough === true) {
    const any = anyRoute(search);
    return "route" in any ? { found: true, route: any.route } : { found: false, reason: any };
  }
  const near = nearAnswer(search);
  if (near !== undefined) return near;
  const outcome = searchFlow(search);
  if (outcome === undefined) return { found: false, reason: { kind: "NO_PATH" } };
  const { relaxed } = outcome;
  if (outcome.isImpossible) return noRoom(Math.max(...outcome.found.map(({ buyAmount }) => buyAmount)));
  const found = [...outcome.found];
  const last = found[found.length - 1] as Split;
  let { proof } = outcome;
  if (search.costPerGas > 0 && !relaxed.hopeless) {
    const tightened = tighten(search, last, outcome);
    proof = tightened.proof;
    if (tightened.flow !== last) found.push(tightened.flow);
  }
  const isReached = found.some((flow) => !isShort(search, flow));
  let best: Evaluated | undefined;
  let tooSmall: NoRoute | undefined;
  let most = 0;
  const leftOut = new Set<PoolId>();
  // The last one is most often the best: then floats tell that others are useless.
  for (const solved of found.reverse()) {
    most = Math.max(most, order.kind === "exactIn" ? solved.sellAmount - solved.stuck : solved.buyAmount);
    // If no flow reaches an amount to buy in floats, none does in integers.
    if (!isReached) continue;
    const answer = evaluate(search, order.kind === "exactIn" ? resplit(search, solved) : solved, {
      above: best?.value,
      leftOut,
    });
    if ("broken" in answer) {
      // A flow without room for all of it may leave a pool as little: that is no lack of amount.
      if (solved.stuck === 0) tooSmall ??= tooSmallAt(answer);
    } else {
      const finer = withoutRounded(search, answer);
      if (best === undefined || finer.value >= best.value) best = finer;
    }
  }
  if (best !== undefined) {
    const more = anotherRound(search, last, best);
    if (more !== undefined && more.value > best.value) best = more;
  }
  best = missedPath(search, outcome, best) ?? best;
  let current = search;
  if (best === undefined) {
    // If any route exists, it has to be answered. The earlier search no longer knows its tokens then.
    current = begin();
    const any = anyRoute(current);
    if ("route" in any) best = any;
  }
  if (best !== undefined) {
    const achieved = order.kind === "exactIn" ? best.value : -best.value;
    const bound = certify(current, relaxed, proof, best);
    const start = request.starts && startOf(search, { relaxed, proof }, best);
    const hoped = netOf(search, last);
    const isFarBelow = hoped - Number(best.value) > FAR_BELOW * Math.abs(hoped);
    if (isFarBelow && leftOut.size > 0 && searches.length < MAX_SEARCHES) {
      const other = findBest(store, workspace, withoutPools(request, leftOut), searches);
      const { certificate } = other.found ? other : {};
      if (other.found && certificate !== undefined && isMore(order.kind, certificate.achieved, achieved))
        return { ...other, certificate: { bound, achieved: certificate.achieved } };
    }
    return { found: true, route: best.route, certificate: { bound, achieved }, ...(start && { start }) };
  }
  return tooSmall === undefined ? noRoom(most) : { found: false, reason: tooSmall };
}

function withoutPools(request: RouteRequest, without: ReadonlySet<PoolId>): RouteRequest {
  return { ...request, allows: (pool) => !without.has(pool.id) && request.allows(pool) };
}

/** Whether one route achieves more than another: pays more, or costs less. */
function isMore(kind: RouteRequest["order"]["kind"], one: bigint, other: bigint): boolean {
  return kind === "exactIn" ? one > other : one < other;
}

/** The first flow that does the whole trade and that integers take, of those that are found soon; else why there is none. */
function anyRoute(search: Search): Evaluated | NoRoute {
  const path = startingFlow(search);
  if (path === undefined) return { kind: "NO_PATH" };
  let tooSmall: NoRoute | undefined;
  for (const flow of anyFlows(search, path)) {
    const answer = evaluate(search, flow);
    if (!("broken" in answer)) return answer;
    tooSmall ??= tooSmallAt(answer);
  }
  return tooSmall ?? { kind: "NOT_ENOUGH_LIQUIDITY" };
}

/** The pool that a broken plan sells too little to; undefined where that is not what breaks it. */
function tooSmallAt({ broken, why }: BrokenPlan): NoRoute | undefined {
  if (why?.rejected !== "TOO_SMALL") return undefined;
  if (broken === undefined) return { kind: "TOO_SMALL" };
  const { id: poolId, source } = broken.pool;
  const at = { poolId, source, ...tokenPairOf(broken), ...(why.least && { least: why.least }) };
  return { kind: "TOO_SMALL", at };
}

/** `most`: what can be filled as floats see it. */
function noRoom(most: number): RouteResult {
  return { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY", estimate: BigInt(Math.floor(most)) } };
}

/** From one form of the native token to another. */
function wrapOnly(request: RouteRequest, wrappers: Wrappers): RouteResult {
  const { order, graph } = request;
  const steps = wrapSteps(wrappers, order.sellToken, order.buyToken).map((step) => ({
    ...step,
    share: SHARE_ONE,
  }));
  if (steps.length === 0) return { found: false, reason: { kind: "NO_PATH" } };
  const route = evaluatePlan(order.kind === "exactIn" ? steps : steps.reverse(), order, graph.time);
  return "broken" in route ? { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY" } } : { found: true, route };
}
