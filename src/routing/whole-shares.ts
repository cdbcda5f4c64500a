import type { Edge } from "./edges/edges.ts";
import { type Goal, netOf, priceOf } from "./flow/goal.ts";
import type { Settled } from "./flow/settled.ts";
import { connected, type Support, supportOf } from "./flow/support.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import type { Wrappers } from "./plan/plan.ts";
import { sellAmountFor } from "./plan/sell-amount.ts";
import type { RouteRequest } from "./router.ts";
import type { Session } from "./session/session.ts";

/** What a flow has to promise more than the answer pays, as a part of that, to be tried. */
const VISIBLE = 1e-4;
/** What a base unit of a token on the way has to be worth for the token to be coarse, likewise. */
const LARGE_UNIT = 1e-5;
/** What shares, which are parts of 10^9, may miss of all that there is of a token. */
const SPARE = 4e-9;

/**
 * A flow, as floats have it, in whole units of the coarse tokens that it passes: between two tokens one pool makes as
 * many as all did, and what is over goes to the pools of the best answer, or where it has none to the one that pays most.
 * Undefined where that is not worth more than the answer.
 */
export function inWholeShares(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  flow: Settled,
  best: Evaluated,
): Evaluated | undefined {
  const worth = Number(best.value);
  if (flow.stuck > 0 || netOf(session, goal, flow) - worth <= VISIBLE * Math.abs(worth)) return undefined;
  const isCoarse = (node: number) => node !== session.sink && priceOf(flow, node) > LARGE_UNIT * flow.buyAmount;
  const units = wholeUnitsInto(flow, isCoarse);
  if (units.size === 0) return undefined;
  const fine = flow.support.edges.filter(({ to }) => !isCoarse(to));
  const edges = new Set([...fine, ...units.keys(), ...best.flow.support.edges]);
  for (const node of new Set(Array.from(units.keys(), ({ from }) => from))) {
    if ([...edges].some((edge) => edge.from === node && !units.has(edge))) continue;
    const other = bestFrom(session, flow, node, isCoarse);
    if (other !== undefined) edges.add(other);
  }
  const support = supportOf(session, connected(session, [...edges]));
  if (support === undefined) return undefined;
  const sells = carriedIn(support, flow, units);
  const next = evaluate(request, session, wrappers, goal, { ...flow, support, sells }, best.value);
  return "broken" in next || next.value <= best.value ? undefined : next;
}

/** By the largest edge from a token to a coarse one the whole units that all between them make. */
function wholeUnitsInto({ support, sells }: Settled, isCoarse: (node: number) => boolean): ReadonlyMap<Edge, number> {
  const sold = new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
  const soldTo = (edge: Edge) => sold.get(edge) as number;
  const coarse = support.edges.filter(({ to }) => isCoarse(to));
  const units = new Map<Edge, number>();
  for (const way of Map.groupBy(coarse, ({ from, to }) => `${from} ${to}`).values()) {
    const made = Math.floor(way.reduce((sum, edge) => sum + edge.curve.buyAmountFor(soldTo(edge)), 0));
    if (made > 0)
      units.set(
        way.reduce((most, edge) => (soldTo(edge) > soldTo(most) ? edge : most)),
        made,
      );
  }
  return units;
}

/** The edge from a token of a flow to a later one that is not coarse which pays most for little. */
function bestFrom(
  session: Session,
  flow: Settled,
  node: number,
  isCoarse: (node: number) => boolean,
): Edge | undefined {
  const { start, to, spot, edgeAt } = session.graph;
  const { order } = flow.support;
  const later = new Set(order.slice(order.indexOf(node) + 1).filter((one) => !isCoarse(one)));
  const end = session.endOf(node);
  session.steps += end - (start[node] as number);
  let most = 0;
  let best: Edge | undefined;
  for (let slot = start[node] as number; slot < end; slot++) {
    const target = to[slot] as number;
    if (!later.has(target)) continue;
    const paid = (spot[slot] as number) * priceOf(flow, target);
    if (paid <= most || !session.usable(node, target) || !session.allowsSlot(slot)) continue;
    most = paid;
    best = edgeAt(slot);
  }
  return best;
}

/**
 * What each edge sells where some make whole units: the others share what is over as they do in the flow, and evenly where
 * it has none of them.
 */
function carriedIn(
  { edges, order, leaving, to }: Support,
  flow: Settled,
  units: ReadonlyMap<Edge, number>,
): readonly number[] {
  const wanted = new Map(flow.support.edges.map((edge, i) => [edge, flow.sells[i] as number]));
  const wantOf = (i: number) => wanted.get(edges[i] as Edge) ?? 0;
  const sells = edges.map(() => 0);
  const arrived = order.map(() => 0);
  arrived[0] = flow.sellAmount;
  leaving.forEach((own, at) => {
    let left = arrived[at] as number;
    const others = own.filter((i) => !units.has(edges[i] as Edge));
    for (const i of own) {
      const whole = units.get(edges[i] as Edge);
      if (whole === undefined) continue;
      sells[i] = Math.min(left, sellAmountFor(edges[i] as Edge, whole) + 1 + SPARE * left);
      left -= sells[i] as number;
    }
    const all = others.reduce((sum, i) => sum + wantOf(i), 0);
    for (const i of others) sells[i] = left * (all > 0 ? wantOf(i) / all : 1 / others.length);
    for (const i of own) {
      const edge = edges[i] as Edge;
      arrived[to[i] as number]! += units.get(edge) ?? edge.curve.buyAmountFor(sells[i] as number);
    }
  });
  return sells;
}
