import { NATIVE_TOKEN } from "../domain/address.ts";
import { type Fill, fillsOf, type PoolId, type Route } from "../domain/route.ts";
import type { Direction } from "../pools/pool-math.ts";
import { provePrices } from "./bound.ts";
import { boundOf } from "./certificate.ts";
import { createEdgeStore, type EdgeStore, wrappersOf } from "./edge-store.ts";
import type { Edge } from "./edges.ts";
import { type BrokenPlan, evaluateExactIn, evaluateExactOut } from "./evaluate.ts";
import type { Goal } from "./goal.ts";
import { costOfGas, costPerGas } from "./network-cost.ts";
import { type Wrappers, wrappersByToken, wrapSteps } from "./plan.ts";
import { planExactIn } from "./plan-exact-in.ts";
import { planExactOut } from "./plan-exact-out.ts";
import type { RouteRequest, RouteResult, Router } from "./router.ts";
import { searchFlow } from "./search.ts";
import { createSession, type Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { startingFlow } from "./starting-flow.ts";
import { connected } from "./support.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** A router that chooses in floats and answers in integers. It remembers the curves of pools that did not change. */
export function createRouter(): Router {
  const store = createEdgeStore();
  const workspace = createWorkspace();
  return { findBest: (request) => findBest(store, workspace, request) };
}

/** Room that a pool is left with when it turns out to be too full, and how often that is tried. */
const BRIM = 0.99999;
const MOST_CAPS = 3;

/** Single paths that are tried when no flow can be carried out in integers. */
const MOST_OTHER_PATHS = 16;

/** Base units below which a wei of rounding is more than a tenth of a basis point. */
const COARSE = 100_000n;

/** No pool is to blame: the route as a whole is too long. */
const TOO_MANY_FILLS: BrokenPlan = { broken: undefined, why: undefined };

interface Evaluated {
  readonly route: Route;
  /** Exact-in: bought amount net of cost. Exact-out: sold amount with cost, negative. Higher is better. */
  readonly value: bigint;
}

function findBest(store: EdgeStore, workspace: Workspace, request: RouteRequest): RouteResult {
  const { order, cost, budget } = request;
  const pools = wrappersOf(request.graph).filter(request.allows);
  const wrappers = wrappersByToken(pools);
  const graph = store.graph(request.graph, pools);
  const source = graph.nodeOf(order.sellToken);
  const sink = graph.nodeOf(order.buyToken);
  if (source === undefined || sink === undefined) return { found: false, reason: { kind: "NO_PATH" } };
  if (source === sink) return wrapOnly(request, wrappers);
  const session = createSession(request, graph, workspace, source, sink);
  const goal: Goal =
    order.kind === "exactIn"
      ? {
          kind: "sell",
          amount: Number(order.sellAmount),
          costPerGas: costPerGas(cost, order.buyToken),
          maxFills: budget.maxFills,
        }
      : {
          kind: "buy",
          amount: Number(order.buyAmount),
          costPerGas: costPerGas(cost, order.sellToken),
          // A producer that serves several consumers is touched once for each.
          maxFills: Math.ceil(budget.maxFills / 2),
        };
  const outcome = searchFlow(session, goal);
  if (outcome === undefined) return { found: false, reason: { kind: "NO_PATH" } };
  const { found, relaxed } = outcome;
  const last = found[found.length - 1] as Settled;
  const proof = goal.costPerGas === 0 ? relaxed.measured.proof : provePrices(session, last, goal, relaxed);
  let best: Evaluated | undefined;
  let tooSmall = false;
  let most = 0;
  const broken = new Set<PoolId>();
  for (const settled of found) {
    most = Math.max(most, order.kind === "exactIn" ? settled.sellAmount - settled.stuck : settled.buyAmount);
    const answer = evaluate(request, session, wrappers, settled);
    if ("broken" in answer) {
      tooSmall ||= answer.why?.rejected === "TOO_SMALL";
      if (answer.broken !== undefined) broken.add(answer.broken.pool.id);
    } else {
      const finer = withoutCoarse(request, session, wrappers, settled, answer);
      for (const one of [answer, finer])
        if (one !== undefined && (best === undefined || one.value > best.value)) best = one;
    }
  }
  // Where floats saw amounts that integers do not have, a path may do better than what is left of a flow.
  const other = anotherPath(request, session, wrappers, goal, broken);
  if (other !== undefined && (best === undefined || other.value > best.value)) best = other;
  if (best !== undefined) {
    const bound = boundOf(proof, goal, wrapGasOf(request));
    const achieved = order.kind === "exactIn" ? best.value : -best.value;
    return { found: true, route: best.route, certificate: { bound, achieved } };
  }
  if (tooSmall) return { found: false, reason: { kind: "TOO_SMALL" } };
  return { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY", most: BigInt(Math.floor(most * (1 - 1e-9))) } };
}

/**
 * A single path without the pools at which others broke, where floats see amounts that integers do not have; each try
 * leaves out one pool more.
 */
function anotherPath(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  broken: Set<PoolId>,
): Evaluated | undefined {
  const rest: Session = { ...session, allows: (edge) => !broken.has(edge.pool.id) && session.allows(edge) };
  for (let attempt = 0; attempt < MOST_OTHER_PATHS && broken.size > 0 && !session.over(); attempt++) {
    const settled = startingFlow(rest, goal);
    if (settled === undefined) return undefined;
    const answer = evaluate(request, rest, wrappers, settled);
    if (!("broken" in answer)) return answer;
    if (answer.broken === undefined || broken.has(answer.broken.pool.id)) return undefined;
    broken.add(answer.broken.pool.id);
  }
  return undefined;
}

/** The same flow without the pools that pay so few base units that rounding may cost more than they bring. */
function withoutCoarse(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  settled: Settled,
  { route }: Evaluated,
): Evaluated | undefined {
  const coarse = new Set(fillsOf(route).flatMap((fill) => (fill.buyAmount < COARSE ? [fill.poolId] : [])));
  if (coarse.size === 0) return undefined;
  const { edges } = settled.support;
  const fine = edges.filter((edge) => !coarse.has(edge.pool.id));
  const rest = connected(fine, session.source, session.sink);
  if (rest.length === 0 || rest.length === edges.length) return undefined;
  const other = settle(session, rest, settled.sellAmount, settled.logPrices);
  const answer = other && evaluate(request, session, wrappers, other);
  return answer === undefined || "broken" in answer ? undefined : answer;
}

/** A flow in integers; pools that turn out to take or give nothing are left out one by one. */
function evaluate(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  settled: Settled,
): Evaluated | BrokenPlan {
  const { order, graph, cost } = request;
  const capped = new Map<PoolId, number>();
  let current = settled;
  for (;;) {
    const route =
      order.kind === "exactIn"
        ? evaluateExactIn(planExactIn(current, order, session.sink, wrappers), order, graph.time)
        : evaluateExactOut(planExactOut(current, order, session.source, session.sink, wrappers), order, graph.time);
    if (!("broken" in route)) {
      const fills = fillsOf(route);
      if (fills.length - wrapsIn(fills, wrappers) > request.budget.maxFills) return TOO_MANY_FILLS;
      const gas = fills.reduce((sum, fill) => sum + fill.gas, 0n);
      return {
        route,
        value:
          route.kind === "exactIn"
            ? route.buyAmount - costOfGas(cost, route.buyToken, gas)
            : -(route.sellAmount + costOfGas(cost, route.sellToken, gas)),
      };
    }
    const { broken, why } = route;
    if (broken === undefined) return route;
    const tight = why?.rejected === "TOO_LARGE" && capped.get(broken.pool.id) !== MOST_CAPS;
    if (tight) capped.set(broken.pool.id, (capped.get(broken.pool.id) ?? 0) + 1);
    // A little too full at first: what the others at its token take in its place is next to nothing.
    if (tight && capped.get(broken.pool.id) === 1) {
      const { edges } = current.support;
      const sells = current.sells.map((sell, i) => (edges[i]?.pool.id === broken.pool.id ? sell * BRIM : sell));
      current = { ...current, sells };
      continue;
    }
    // Without a rejection it is not the pool that cannot, but this use of it.
    const isMeant = (edge: Edge) =>
      edge.pool.id === broken.pool.id && (why !== undefined || isSameDirection(edge.direction, broken.direction));
    const left = current.support.edges.flatMap((edge) => (isMeant(edge) ? (tight ? [withLess(edge)] : []) : [edge]));
    const rest = connected(left, session.source, session.sink);
    if (rest.length === 0 || (!tight && rest.length === current.support.edges.length)) return route;
    const without = settle(session, rest, current.sellAmount, current.logPrices);
    if (without === undefined) return route;
    current = without;
  }
}

function wrapsIn(fills: readonly Fill[], wrappers: Wrappers): number {
  const ids = new Set([...wrappers.values()].map(({ id }) => id));
  return fills.filter(({ poolId }) => ids.has(poolId)).length;
}

function isSameDirection(a: Direction, b: Direction): boolean {
  return a.sell === b.sell && a.buy === b.buy;
}

/** The edge with a little less room: what floats and shares miss of a pool that is filled to the brim. */
function withLess(edge: Edge): Edge {
  const { curve } = edge;
  const maxSell = curve.maxSell * BRIM;
  return {
    ...edge,
    depth: Number.NaN,
    curve: {
      maxSell,
      gas: curve.gas,
      concave: curve.concave,
      marginalRate: (sellAmount) => curve.marginalRate(sellAmount),
      buyAmountFor: (sellAmount) => curve.buyAmountFor(Math.min(sellAmount, maxSell)),
      sellAmountAtRate: (rate) => Math.min(curve.sellAmountAtRate(rate), maxSell),
    },
  };
}

/** From one form of the native token to another. */
function wrapOnly(request: RouteRequest, wrappers: Wrappers): RouteResult {
  const { order, graph } = request;
  const steps = wrapSteps(wrappers, order.sellToken, order.buyToken).map((step) => ({
    ...step,
    share: 1_000_000_000n,
  }));
  if (steps.length === 0) return { found: false, reason: { kind: "NO_PATH" } };
  const route =
    order.kind === "exactIn"
      ? evaluateExactIn(steps, order, graph.time)
      : evaluateExactOut(
          steps.reduce<Parameters<typeof evaluateExactOut>[0]>((inputs, step) => [{ ...step, inputs }], []),
          order,
          graph.time,
        );
  return "broken" in route ? { found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY" } } : { found: true, route };
}

/** The gas of wrapping that no route can do without: the native token is sold or bought and no pool holds it itself. */
function wrapGasOf({ order, graph, allows }: RouteRequest): number {
  if (order.sellToken !== NATIVE_TOKEN && order.buyToken !== NATIVE_TOKEN) return 0;
  const gases = graph
    .poolsOf(NATIVE_TOKEN)
    .filter(allows)
    .map((pool) => (pool.curve === "fixed-rate" ? Number(pool.state.gas) : 0));
  return gases.length === 0 ? 0 : Math.min(...gases);
}
