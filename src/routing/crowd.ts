import type { Edge } from "./edges.ts";
import { type Goal, isBetter } from "./goal.ts";
import { type Measured, measure, sumOf } from "./measure.ts";
import { type Carrying, mostCarrying } from "./most-carrying.ts";
import { UNLIMITED } from "./most-earned.ts";
import { outerPrice, PARCEL, type Prices, spreadPrices } from "./outer-prices.ts";
import { type PaidFlow, paidFlow } from "./paid-flow.ts";
import type { Relaxed } from "./relax.ts";
import { withoutCycles } from "./repair.ts";
import type { Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { connected } from "./support.ts";
import { thinOut } from "./thin-out.ts";

/** How closely the kinks of pools are followed in each round, as parts of the charge. */
const WIDTHS = [0.5, 0.5, 0.3, 0.1];
/** Part of the charge below which nobody looks at what a pool earns. */
const NOTICED = 0.25;
/** How the charge follows the number of touches, and how much it may change in one round. */
const FOLLOWING = 1.3;
const [LEAST_CHANGE, MOST_CHANGE] = [0.7, 2];
/** How far prices may move in the first round: a part of how far the trade has moved them, within limits. */
const STRAINED = 0.5;
const [LEAST_REACH, FIRST_REACH, MOST_REACH] = [1e-6, 1e-3, 1];
/** Parts of its reach that count as all and as little of it, and how much farther a price may go then. */
const [ALL, LITTLE, FARTHER] = [0.99, 0.25, 4];
/** Tokens whose prices are minimised over together. */
const MOST_NODES = 600;
/** Pools that the trade may take without limits, for each that a route may touch: with more a round costs more than a search. */
const MOST_CROWDED = 8;
/** Part of the charge that a pool may fall short of for it to be taken in, and the least part of a touch that it counts as. */
const NEARLY = 0.3;
const LEAST_PART = 1e-6;

/**
 * A trade that wants more pools than a route may touch: each touch is charged what the last one of them is worth, a
 * multiplier of the limit. The dual with that charge is minimised from the prices of the trade without limits, each price
 * within a reach of its own, so that few pools have to be looked at; the pools that it takes are solved together and
 * thinned out.
 */
export function crowdedFlow(
  session: Session,
  goal: Goal,
  relaxed: Relaxed,
  first: Settled,
): { readonly relaxed: Relaxed; readonly flow: Settled | undefined } {
  const { source, sink } = session;
  const { maxFills } = goal;
  const { sellAmount } = first;
  if (relaxed.edges.length > MOST_CROWDED * maxFills) return { relaxed, flow: undefined };
  let { logPrices } = relaxed;
  let best: { readonly measured: Measured; readonly logPrices: ReadonlyMap<number, number> } = relaxed;
  let proven = sumOf(best.measured.proof, sellAmount);
  const profits = relaxed.measured.earners.map(({ profit }) => profit).sort((a, b) => b - a);
  let charge = profits[Math.min(maxFills, profits.length) - 1] ?? 0;
  if (!(charge > 0)) return { relaxed, flow: undefined };
  const reaches = firstReaches(session, logPrices);
  const reach = (node: number) => (node === sink ? 0 : (reaches.get(node) ?? FIRST_REACH));
  let paid: PaidFlow | undefined;
  for (const width of WIDTHS) {
    if (session.over()) break;
    const question = { session, goal, amount: sellAmount, room: UNLIMITED, crowd: { charge, reach } };
    paid = paidFlow(question, logPrices, [], width, Number.NEGATIVE_INFINITY);
    adjust(reaches, reach, logPrices, paid.logPrices);
    logPrices = paid.logPrices;
    const worth = sellAmount * Math.exp(logPrices.get(source) as number);
    const prices = spreadPrices(session, logPrices, PARCEL * worth, NOTICED * charge);
    const measured = measure(session, prices, 0, sellAmount, UNLIMITED, [], NOTICED * charge);
    const now = sumOf(measured.proof, sellAmount);
    if (now < proven) {
      best = { measured, logPrices };
      proven = now;
    }
    logPrices = withEarning(session, measured, prices, logPrices, charge);
    const touched = paid.parts.reduce((sum, part) => sum + part, 0);
    charge *= Math.max(LEAST_CHANGE, Math.min(MOST_CHANGE, (touched / maxFills) ** FOLLOWING));
  }
  if (paid === undefined) return { relaxed, flow: undefined };
  const edges = [...new Set([...takenOf(session, paid, charge), ...first.support.edges])];
  const whole = settle(session, connected(session, withoutCycles(edges, source, sink)), sellAmount, paid.logPrices);
  const flow = whole && thinOut(session, goal, whole);
  return { relaxed: { ...relaxed, ...best }, flow: flow && isBetter(session, goal, flow, first) ? flow : undefined };
}

/** Prices that the trade has moved far may go far, those of tokens that it does not strain may not. */
function firstReaches({ graph }: Session, logPrices: ReadonlyMap<number, number>): Map<number, number> {
  const lifts = [...logPrices].map(([node, logPrice]) => logPrice - Math.log(graph.rest[node] as number));
  const middle = [...lifts].sort((a, b) => a - b)[lifts.length >> 1] as number;
  const reaches = [...logPrices.keys()].map((node, i): [number, number] => {
    const strain = STRAINED * Math.abs((lifts[i] as number) - middle);
    return [node, Math.min(MOST_REACH, Math.max(LEAST_REACH, strain))];
  });
  return new Map(reaches);
}

/** Prices that went as far as they could may go farther the next time, those that did not, less far. */
function adjust(
  reaches: Map<number, number>,
  reach: (node: number) => number,
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): void {
  for (const [node, logPrice] of after) {
    const own = reach(node);
    const part = Math.abs(logPrice - (before.get(node) as number)) / own;
    if (part > ALL) reaches.set(node, Math.min(MOST_REACH, FARTHER * own));
    else if (part < LITTLE) reaches.set(node, Math.max(LEAST_REACH, own / 2));
  }
}

/** These prices and those of the tokens at which a pool earns more than the charge. */
function withEarning(
  session: Session,
  { earners }: Measured,
  prices: Prices,
  logPrices: ReadonlyMap<number, number>,
  charge: number,
): Map<number, number> {
  const { from, to } = session.graph;
  const all = new Map(logPrices);
  for (const { slot, profit } of earners)
    for (const node of [from[slot] as number, to[slot] as number])
      if (profit > charge && !all.has(node) && all.size < MOST_NODES)
        all.set(node, Math.log(outerPrice(session, prices, node)));
  return all;
}

/**
 * The edges that are worth a touch or a part of one, those that carry most first. Of deep pools next to nothing of a touch
 * carries all that others need: where nothing brings what a token's edges take, the pool that brings it best is taken in.
 */
function takenOf(session: Session, { edges, parts, sells, profits, logPrices }: PaidFlow, charge: number): Edge[] {
  const taken: Carrying[] = [];
  /** What goes out of tokens, in value, less what comes in. */
  const missing = new Map<number, number>();
  const price = (node: number) => Math.exp(logPrices.get(node) as number);
  edges.forEach((edge, i) => {
    if (!((parts[i] as number) > 0) || (profits[i] as number) < -NEARLY * charge) return;
    const value = Math.max(LEAST_PART, parts[i] as number) * (sells[i] as number) * price(edge.from);
    taken.push({ edge, value });
    missing.set(edge.from, (missing.get(edge.from) ?? 0) + value);
    missing.set(edge.to, (missing.get(edge.to) ?? 0) - value);
  });
  const { start, live, to, twin, spot, edges: all } = session.graph;
  for (const [node, value] of missing) {
    if (node === session.source || value <= 0) continue;
    let most = Number.NEGATIVE_INFINITY;
    let best: Edge | undefined;
    session.steps += (live[node] as number) - (start[node] as number);
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const other = to[slot] as number;
      const reverse = twin[slot] as number;
      if (!missing.has(other) || !session.usable(other, node)) continue;
      const [sellPrice, buyPrice] = [price(other), price(node)];
      if (((spot[reverse] as number) * buyPrice) / sellPrice - 1 <= most || !session.allowsSlot(slot)) continue;
      const edge = all[reverse] as Edge;
      const earned = (edge.curve.buyAmountFor(value / sellPrice) * buyPrice) / value - 1;
      if (earned <= most) continue;
      most = earned;
      best = edge;
    }
    if (best !== undefined) taken.push({ edge: best, value });
  }
  return mostCarrying(taken, 0);
}
