import type { Edge } from "../edges/edges.ts";
import { priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { connected, type Support, supportOf } from "../flow/support.ts";
import { sellAmountFor } from "../plan/sell-amount.ts";
import type { Session } from "../session/session.ts";

/** What shares, which are parts of 10^9, may miss of all that there is of a token. */
const SPARE = 4e-9;

/** The flow with pools that make whole units; undefined where no path is left then. */
export function wholeFlow(
  session: Session,
  flow: Settled,
  units: ReadonlyMap<Edge, number>,
  isCoarse: (node: number) => boolean,
  best: Settled,
): Settled | undefined {
  const fine = flow.support.edges.filter(({ to }) => !isCoarse(to));
  const edges = new Set([...fine, ...units.keys(), ...best.support.edges]);
  for (const node of new Set(Array.from(units.keys(), ({ from }) => from))) {
    if ([...edges].some((edge) => edge.from === node && !units.has(edge))) continue;
    const other = bestFrom(session, flow, node, isCoarse);
    if (other !== undefined) edges.add(other);
  }
  const whole = supportOf(session, connected(session, [...edges]));
  if (whole === undefined) return undefined;
  const sold = new Map(soldIn(whole, flow, units, isCoarse).map((sell, i) => [whole.edges[i] as Edge, sell]));
  const used = whole.edges.filter((edge) => (sold.get(edge) as number) > 0);
  const support = supportOf(session, connected(session, used));
  return support && { ...flow, support, sells: support.edges.map((edge) => sold.get(edge) as number) };
}

/**
 * What each edge sells where some make whole units: the others share what is over as they do in the flow, and evenly where
 * it has none of them; what is over of a coarse token in whole units.
 */
function soldIn(
  { edges, order, leaving, to }: Support,
  flow: Settled,
  units: ReadonlyMap<Edge, number>,
  isCoarse: (node: number) => boolean,
): readonly number[] {
  const wanted = new Map(flow.support.edges.map((edge, i) => [edge, flow.sells[i] as number]));
  const wantOf = (i: number) => wanted.get(edges[i] as Edge) ?? 0;
  const sells = edges.map(() => 0);
  const arrived = order.map(() => 0);
  arrived[0] = flow.sellAmount;
  leaving.forEach((own, at) => {
    const all = arrived[at] as number;
    const inUnits = isCoarse(order[at] as number);
    let left = all;
    const others = own.filter((i) => !units.has(edges[i] as Edge));
    for (const i of own) {
      const whole = units.get(edges[i] as Edge);
      if (whole === undefined) continue;
      const needed = sellAmountFor(edges[i] as Edge, whole);
      sells[i] = Math.min(left, inUnits ? Math.ceil(needed * (1 - SPARE)) : needed + 1 + SPARE * all);
      left -= sells[i] as number;
    }
    const wants = others.reduce((sum, i) => sum + wantOf(i), 0);
    const shares = others.map((i) => left * (wants > 0 ? wantOf(i) / wants : 1 / others.length));
    const worth = (k: number, count: number) => {
      const edge = edges[others[k] as number] as Edge;
      return (edge.curve.buyAmountFor(count + 1) - edge.curve.buyAmountFor(count)) * priceOf(flow, edge.to);
    };
    const shared = inUnits ? wholeCounts(shares, worth) : shares;
    others.forEach((i, k) => {
      sells[i] = shared[k] as number;
    });
    for (const i of own) {
      const edge = edges[i] as Edge;
      arrived[to[i] as number]! += Math.min(
        units.get(edge) ?? Number.POSITIVE_INFINITY,
        edge.curve.buyAmountFor(sells[i] as number),
      );
    }
  });
  return sells;
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

/** Amounts in whole units, all together as much: what is over goes one by one to where one more is `worth` most. */
export function wholeCounts(
  amounts: readonly number[],
  worth: (i: number, count: number) => number,
): readonly number[] {
  const counts = amounts.map(Math.floor);
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
  // Rounding leaves less than one of each, whatever floats make of large amounts.
  const over = Math.min(amounts.length, Math.floor(sum(amounts) * (1 + SPARE)) - sum(counts));
  for (let placed = 0; placed < over; placed++) {
    const worths = counts.map((count, i) => worth(i, count));
    const next = worths.reduce((best, one, i) => (one > (worths[best] as number) ? i : best), 0);
    counts[next]! += 1;
  }
  return counts;
}
