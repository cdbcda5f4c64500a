import { SHARE_ONE } from "../domain/route.ts";
import { isHopeless, relax } from "./bound/relax.ts";
import { shortage } from "./bound/shortage.ts";
import { isDone, isShort, sellAmountFrom, withoutGas } from "./flow/goal.ts";
import { resplit, type Split } from "./flow/solve-split.ts";
import { createEdgeStore, type EdgeStore } from "./graph/edge-store.ts";
import { type Wrappers, wrappersOf } from "./graph/wrappers.ts";
import { startingFlow } from "./paths/starting-flow.ts";
import { type BrokenPlan, evaluatePlan, tokenPairOf } from "./plan/execution.ts";
import { wrapSteps } from "./plan/plan.ts";
import type { NoRoute, RouteRequest, RouteResult, Router, SearchBudget } from "./router.ts";
import { boundByPrices, certify } from "./search/certify.ts";
import { anotherRound, type Evaluated, evaluate, withoutRounded } from "./search/integers.ts";
import { missedPath } from "./search/missed-path.ts";
import { placeAll } from "./search/place-all.ts";
import { flowOver } from "./search/prune.ts";
import { provenWithoutGas, searchFlow } from "./search/search.ts";
import { tighten } from "./search/tighten.ts";
import { knownProof } from "./search/warm-start.ts";
import { createSearch, type Search } from "./session/search.ts";
import { Workspace } from "./session/workspace.ts";

/** A router that chooses in floats and answers in integers. It remembers the curves of pools that did not change. */
export function createRouter(): Router {
  const memory = { store: createEdgeStore(), workspace: new Workspace() };
  return {
    findBest(request) {
      const run: Run = { ...memory, searches: [] };
      const result = bestWithin(run, request);
      request.budget.spent?.(run.searches.reduce((sum, { work }) => sum + work.steps, 0));
      return result;
    },
  };
}

/** All searches of one request, and what they work with. */
interface Run {
  readonly store: EdgeStore;
  readonly workspace: Workspace;
  readonly searches: Search[];
}

/** The best route within the limits of a request, those that tighter limits lead to among them where these are few. */
function bestWithin(run: Run, request: RouteRequest): RouteResult {
  let best = findBest(run, request);
  if (request.isAnyEnough === true) return best;
  for (const budget of tighterLimits(request.budget)) {
    if (budget.expired() || isProven(best)) break;
    best = betterOf(request, best, findBest(run, { ...request, budget }));
  }
  return best;
}

/** The better one of two results, of which the other one's proof, over fewer routes, says nothing about all of them. */
function betterOf({ order }: RouteRequest, best: RouteResult, other: RouteResult): RouteResult {
  if (!other.found || other.certificate === undefined) return best;
  if (!best.found) return { found: true, route: other.route };
  if (best.certificate === undefined) return best;
  const { bound, achieved } = best.certificate;
  const own = other.certificate.achieved;
  const isMore = order.kind === "exactIn" ? own > achieved : own < achieved;
  return isMore ? { found: true, route: other.route, certificate: { bound, achieved: own } } : best;
}

function findBest({ store, workspace, searches }: Run, request: RouteRequest): RouteResult {
  const { order } = request;
  const wrappers = wrappersOf(request.graph, request.allows);
  const graph = store.graph(request.graph, wrappers);
  const source = graph.nodeOf(order.sellToken);
  const sink = graph.nodeOf(order.buyToken);
  if (source === undefined || sink === undefined) return refused({ kind: "NO_PATH" });
  if (source === sink) return wrapOnly(request, wrappers);
  const begin = () => {
    const search = createSearch(request, graph, workspace, wrappers, source, sink);
    searches.push(search);
    return search;
  };
  const search = begin();
  if (request.isAnyEnough === true) {
    const any = anyRoute(search);
    return "route" in any ? { found: true, route: any.route } : refused(any);
  }
  const outcome = searchFlow(search);
  if (outcome === undefined) return refused({ kind: "NO_PATH" });
  if (outcome.isImpossible) return refused(noRoom(search, outcome.found));
  const { relaxed, isClose, isTight, isSmall } = outcome;
  const last = outcome.found.at(-1) as Split;
  const isOpen = search.costPerGas > 0 && !relaxed.hopeless && isClose !== true;
  const { proof, flow } = isOpen ? tighten(search, last, outcome, isTight) : { proof: outcome.proof, flow: last };
  const found = flow === last ? outcome.found : [...outcome.found, flow];
  const { answer, why } = bestInIntegers(search, found);
  let best = answer && anotherRound(search, last, answer);
  if (best === undefined || isClose !== true) best = missedPath(search, outcome, best) ?? best;
  let current = search;
  if (best === undefined) {
    // If any route exists, it has to be answered. The earlier search no longer knows its tokens then.
    current = begin();
    const any = anyRoute(current);
    if ("route" in any) best = any;
  }
  if (best === undefined) return refused(why);
  const achieved = order.kind === "exactIn" ? best.value : -best.value;
  const bound = isClose ? boundByPrices(search, proof) : certify(current, relaxed, proof, best);
  const isTold = request.tellsProof === true && !relaxed.hopeless;
  return {
    ...{ found: true, route: best.route },
    ...(bound !== undefined && { certificate: { bound, achieved } }),
    ...(isTold && {
      proof: knownProof(search, isSmall ? provenWithoutGas(search, flow) : { relaxed, proof }, best.value),
    }),
  };
}

/** The best of some flows in integers; else why there is none. If no flow reaches an amount to buy in floats, none does in integers. */
function bestInIntegers(search: Search, found: readonly Split[]) {
  let best: Evaluated | undefined;
  let tooSmall: NoRoute | undefined;
  // The last one is most often the best: then floats tell that others are useless.
  for (const flow of found.filter((each) => !isShort(search, each)).reverse()) {
    const answer = evaluate(search, search.side === "exactIn" ? resplit(search, flow) : flow, best?.value);
    if ("broken" in answer) {
      // A flow without room for all of it may leave a pool as little: that is no lack of amount.
      if (flow.stuck === 0) tooSmall ??= tooSmallAt(answer);
    } else {
      const finer = withoutRounded(search, answer);
      if (best === undefined || finer.value >= best.value) best = finer;
    }
  }
  return { answer: best, why: tooSmall ?? noRoom(search, found) };
}

function refused(reason: NoRoute): RouteResult {
  return { found: false, reason };
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
function tooSmallAt({ broken: [first] }: BrokenPlan): NoRoute | undefined {
  if (first?.why?.rejected !== "TOO_SMALL") return undefined;
  const { use, why } = first;
  const { id: poolId, source } = use.pool;
  return { kind: "TOO_SMALL", at: { poolId, source, ...tokenPairOf(use), ...(why.least && { least: why.least }) } };
}

/** There is room for as much of the trade as one of the flows does. */
function noRoom({ side }: Search, found: readonly Split[]): NoRoute {
  const most = found.map((flow) => (side === "exactIn" ? flow.sellAmount - flow.stuck : flow.buyAmount));
  return { kind: "NOT_ENOUGH_LIQUIDITY", estimate: BigInt(Math.floor(Math.max(...most))) };
}

/** From one form of the native token to another. */
function wrapOnly({ order, graph }: RouteRequest, wrappers: Wrappers): RouteResult {
  const wraps = wrapSteps(wrappers, order.sellToken, order.buyToken);
  if (wraps.length === 0) return refused({ kind: "NO_PATH" });
  const plan = wraps.map((wrap) => ({ ...wrap, share: SHARE_ONE }));
  const route = evaluatePlan(order.kind === "exactIn" ? plan : plan.reverse(), order, graph.time);
  return "broken" in route ? refused({ kind: "NOT_ENOUGH_LIQUIDITY" }) : { found: true, route };
}

/**
 * Fills up to which routes of tighter limits are tried too. A flow that is pruned to so few ends at the paths that its dual likes
 * best, and these have more pools each than are left to split over: 6 % were lost with four fills.
 */
const FEW_FILLS = 8;
/** Parts of what is achieved that a bound may leave open for no other limits to be tried: 1 bp. */
const CLOSE = 10_000n;

/** Limits within those of a budget: fewer hops, and fewer fills. */
function tighterLimits(budget: SearchBudget): readonly SearchBudget[] {
  const { maxFills, maxHops } = budget;
  if (maxFills > FEW_FILLS) return [];
  const most = Math.min(maxHops, maxFills);
  const fewerHops = Array.from({ length: most - 1 }, (_, less) => ({ ...budget, maxHops: most - 1 - less }));
  const fewerFills = Array.from({ length: maxFills - 1 }, (_, less) => ({ ...budget, maxFills: maxFills - 1 - less }));
  return [...fewerHops, ...fewerFills];
}

/** Whether next to nothing is open above an answer. */
function isProven(result: RouteResult): boolean {
  if (!result.found || result.certificate === undefined) return false;
  const { bound, achieved } = result.certificate;
  const [open, size] = [bound - achieved, achieved < 0n ? -achieved : achieved];
  return (open < 0n ? -open : open) * CLOSE <= size;
}

/**
 * Flows that do a whole trade as floats see it, whatever they bring, those that are found sooner first: the best path, which is
 * known, what all pools at once come to where there is not too much arbitrage, and the path with others that take what finds no
 * room on it. None where prices prove that none does.
 */
function* anyFlows(search: Search, path: Split): Generator<Split> {
  if (isDone(search, path)) yield path;
  if (search.over()) return;
  if (!isHopeless(search, search.side === "exactIn" ? path.buyAmount : search.amount)) {
    if (search.request.isAnyEnough === true && isShort(search, path) && shortage(search) !== undefined) return;
    const sellAmount = sellAmountFrom(search, path);
    const { edges, logPrices } = relax(search, path.logPrices, sellAmount, undefined, true);
    const all = flowOver(withoutGas(search), sellAmount, edges(), logPrices);
    if (all !== undefined && isDone(search, all)) yield all;
  }
  const filled = placeAll(withoutGas(search), path);
  if (isDone(search, filled)) yield filled;
}
