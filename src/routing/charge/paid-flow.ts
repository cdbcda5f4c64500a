import { mostEarned } from "../bound/most-earned.ts";
import type { Question } from "../bound/question.ts";
import { isIn, type Need, type Waiver } from "../edges/edge-group.ts";
import type { Edge } from "../edges/edges.ts";
import { descend, type Slope } from "../flow/descent.ts";
import { gasAtPrice } from "../flow/goal.ts";
import { slotsAmong } from "../session/edges-among.ts";
import { paidDual } from "./paid-dual.ts";

/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.9;
/** How far prices may move in a pool's favour for it to be minimised over, as a part of a rate. */
const NEAR = 0.8;
/** Part of its gas that a pool has to earn then where some edge of its group has to be touched. */
const NEEDED = 0.3;
/** What a need makes up for at most, in cheapest touches: an edge that earns nothing does not earn by that. */
const MOST_WAIVED = 1;
/** What a further step promises at which the prices are close enough: as a part of what the rounding of kinks is worth, or of the trade. */
const CLOSE = 0.01;
const CLOSEST = 1e-8;

/** Prices that are minimised over, and what edges do at them if a part of a touch costs a part of its gas. */
export interface PaidFlow {
  /** What the trade over these edges is worth at most, in bought units, but for the rounding of kinks. */
  readonly value: number;
  /** Logarithms, in bought units. */
  readonly logPrices: ReadonlyMap<number, number>;
  readonly waivers: readonly Waiver[];
  readonly edges: readonly Edge[];
  /** Part of a touch that is made of each edge, what a whole touch sells, what it earns after its gas, and what that costs. */
  readonly parts: Float64Array;
  readonly sells: Float64Array;
  readonly profits: Float64Array;
  readonly costs: Float64Array;
}

/**
 * Minimises the dual of a trade with gas over the tokens that have a price in `start`. `waivers`: the needs that are known,
 * with the multipliers to begin with. Ends as well where the trade is worth less than `enough`
 * by a touch, in the units of the goal.
 */
export function paidFlow(
  question: Question,
  start: ReadonlyMap<number, number>,
  waivers: readonly Waiver[],
  width: number,
  enough: number,
): PaidFlow {
  const { session, goal } = question;
  const needs = waivers.map(({ need }) => need);
  const slots = slotsNear(question, start, needs);
  const startPrice = Math.exp(start.get(session.source) as number);
  const dual = paidDual(question, slots, needs, startPrice, width);
  const { nodes, unit, parts, sells, profits, costs } = dual;
  const prices = nodes.length;
  const from = Float64Array.from([
    ...nodes.map((node) => start.get(node) ?? 0),
    ...waivers.map(({ waived }) => waived / unit),
  ]);
  const slope: Slope = {
    dual,
    least: from.map((_, i) => (i < prices ? Number.NEGATIVE_INFINITY : 0)),
    most: from.map((_, i) => (i < prices ? Number.POSITIVE_INFINITY : MOST_WAIVED)),
    isEnough: (value, at) => {
      if (goal.kind === "sell") return value + unit <= enough;
      const worth = dual.worthAt(at);
      return value + unit - worth - goal.amount <= (enough * worth) / question.amount;
    },
    isClose: (promise, at) => promise <= Math.max(CLOSEST * dual.worthAt(at), CLOSE * width * unit),
    slow: 0,
    over: session.over,
  };
  const { value, at: y } = descend(slope, from);
  const logPrices = new Map(start);
  nodes.forEach((node, i) => {
    logPrices.set(node, y[i] as number);
  });
  const edges = slots.map((slot) => session.graph.edgeAt(slot));
  const found = needs.map((need, i) => ({ need, waived: unit * (y[prices + i] as number) }));
  return { value, logPrices, waivers: found, edges, parts, sells, profits, costs };
}

/** The slots between the tokens that may be worth a touch near these prices. */
function slotsNear(
  { session, goal, room }: Question,
  start: ReadonlyMap<number, number>,
  needs: readonly Need[],
): number[] {
  const { graph, source, workspace } = session;
  const { from, to, spot, depth, deepest, gas, edgeAt } = graph;
  const { place } = workspace;
  const nodes = [...start.keys()];
  // An edge that is all that two groups need may be worth touching where it pays nothing.
  const band = needs.length > 1 ? 0 : BAND;
  const slots = slotsAmong(session, start, nodes, band, () => true);
  const prices = nodes.map((node) => Math.exp(start.get(node) as number));
  const rooms = nodes.map(room);
  nodes.forEach((node, i) => {
    place[node] = i;
  });
  const perGas = gasAtPrice(goal, prices[place[source] as number] as number);
  const isNear = (slot: number): boolean => {
    const best = spot[slot] as number;
    const groups =
      needs.length === 0 ? 0 : needs.filter(({ group, by }) => by === edgeAt(slot) || isIn(group, edgeAt(slot))).length;
    const isHyperbola = (depth[slot] as number) > 0;
    const curve = isHyperbola ? undefined : edgeAt(slot).curve;
    if (curve !== undefined && !(curve.ceiling ?? curve).concave) return false;
    if (groups > 1) return true;
    const seller = place[from[slot] as number] as number;
    const buyer = place[to[slot] as number] as number;
    const sellPrice = NEAR * (prices[seller] as number);
    const buyPrice = prices[buyer] as number;
    const rate = sellPrice / buyPrice;
    if (!(best > rate)) return false;
    const least = (groups === 0 ? 1 : NEEDED) * (gas[slot] as number) * perGas;
    const fromRoom = rooms[seller] as number;
    const toRoom = rooms[buyer] as number;
    // What there is room for, at the best rate, is no less than what it earns.
    if ((best * buyPrice - sellPrice) * Math.min(fromRoom, toRoom / best) <= least) return false;
    const short = 1 - Math.sqrt(rate / best);
    if (best * buyPrice * (deepest[slot] as number) * short * short <= least) return false;
    if (isHyperbola) return true;
    const { sellAmount, buyAmount } = mostEarned(edgeAt(slot), rate, fromRoom, toRoom);
    return buyAmount * buyPrice - sellAmount * sellPrice > least;
  };
  const found = slots.filter(isNear);
  for (const node of nodes) place[node] = -1;
  return found;
}
