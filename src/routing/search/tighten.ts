import { proveAtFirst } from "../bound/bound.ts";
import { mostProven } from "../bound/certificate.ts";
import type { PriceProof } from "../bound/measure.ts";
import type { Relaxed } from "../bound/relax.ts";
import { roomOf } from "../bound/room.ts";
import { type Goal, gasOfFlow, isBetter, mostSoldFor, netOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { type Branch, branchAndBound, branchAt, MOST_DIVISIONS, MOST_NODES, MOST_STEPS } from "./branch.ts";
import { endedAtOwnTicks, endedAtTicks } from "./end-at-ticks.ts";
import { exchanged } from "./exchange.ts";
import { paidRoutes } from "./paid-routes.ts";
import type { Proven } from "./search-outcome.ts";

/** A proof, and the flow that it was worked out for or a better one. */
export interface Tightened {
  readonly proof: PriceProof;
  readonly flow: Settled;
}

/** What may stay open besides the gas of one touch, as a part of the trade's value, and where routes would have to be divided. */
const CLOSE_ENOUGH = 1e-4;
const CLOSE_ENOUGH_DIVIDED = 3e-4;
/**
 * How closely the kinks of pools are followed, as parts of the trade's value: in the first round, unless that is less than
 * a part of a touch, and at last, unless that is. Each round is ten times as close and begins where the last one ended.
 */
const ROUGH = 5e-4;
const CLOSE = 1e-6;
const [ROUGHEST, CLOSEST] = [0.1, 0.01];
/** What a touch counts as at least, as a part of the trade's value: pools may be touched for nothing. */
const LEAST_TOUCH = 1e-9;
/** Part of all fills from which on what is open beyond the gas of all of them is not gas, and beyond the least that they use. */
const FULL = 0.5;
const AS_GOOD_AS_ALL = 0.9;
/** Touches that may be open for routes to be divided: each division closes about one at most. */
const MOST_OPEN = 12;
/** Branches that have to be affordable, each at what the last round cost, for routes to be divided: a few close nothing. */
const LEAST_BRANCHES = 8;

/**
 * Where a proof leaves more than the gas of a touch open: the dual of the trade with gas is minimised over all pools, each
 * selling and buying no more than the trade can bring there, and the pools that this takes are tried as a route. What
 * stays open then, because pools pay parts of their gas, is closed by what routes need, and by branch and bound.
 */
export function tighten(
  session: Session,
  goal: Goal,
  flow: Settled,
  { relaxed, proof: known, charged }: Proven,
): Tightened {
  const amount = mostSoldFor(session, goal, flow);
  // What is known of a purchase without a charge was proven for one of another size.
  const proof = goal.kind === "sell" || charged !== undefined ? known : proveAtFirst(session, amount, goal, relaxed);
  let best: Tightened = { proof, flow };
  if (flow.stuck > 0 || openIn(session, goal, best) <= CLOSE_ENOUGH) return best;
  best = { proof, flow: endedAtOwnTicks(session, goal, flow) };
  const short = charged && endedAtTicks(session, goal, flow, charged);
  if (short !== undefined && isBetter(session, goal, short, best.flow)) best = { proof, flow: short };
  const touch = Math.max(LEAST_TOUCH, touchOf(goal, flow) / Math.abs(netOf(session, goal, flow)));
  const taken = flow.support.edges.length / goal.maxFills;
  const gas =
    taken >= AS_GOOD_AS_ALL ? goal.maxFills * touch : gasOfAllFills(goal, flow, Math.abs(netOf(session, goal, flow)));
  // What the charge for touches has been minimised with says more of a flow that takes as good as all.
  if (charged !== undefined && taken >= AS_GOOD_AS_ALL) return best;
  if (taken >= FULL && openIn(session, goal, best) > gas) return best;
  const question = { session, goal, amount, room: roomOf(session, amount, relaxed) };
  const any = { needed: [], barred: [] };
  let root: Branch | undefined;
  let spent = 0;
  for (let width = Math.min(1, Math.max(ROUGHEST, ROUGH / touch)); !session.over(); width /= 10) {
    const before = session.steps;
    const next = branchAt(question, any, root?.logPrices ?? pricesOf(relaxed, flow), [], width);
    if (next.most < mostProven(best.proof, goal)) best = { ...best, proof: next.proof };
    if (openIn(session, goal, best) <= CLOSE_ENOUGH) return best;
    spent = session.steps - before;
    // Prices that prove less than those before are none to go on from.
    if (root === undefined || next.most < root.most) root = next;
    if (width <= Math.max(CLOSEST, CLOSE / touch)) break;
  }
  if (root === undefined) return best;
  const ended = endedAtTicks(session, goal, flow, root.paid);
  if (isBetter(session, goal, ended, best.flow)) best = { ...best, flow: ended };
  const better = (one: Settled, other: Settled) => (isBetter(session, goal, other, one) ? other : one);
  const flows = [best.flow, ...paidRoutes(session, goal, flow, root.paid)];
  best = { ...best, flow: flows.reduce(better) };
  for (const one of flows) {
    if (openIn(session, goal, best) <= CLOSE_ENOUGH_DIVIDED || session.over()) break;
    best = { ...best, flow: better(best.flow, exchanged(session, goal, one)) };
  }
  const open = openIn(session, goal, best);
  if (open <= CLOSE_ENOUGH_DIVIDED || spent * LEAST_BRANCHES > MOST_STEPS) return best;
  const divisions = open > MOST_OPEN * touch ? 0 : MOST_DIVISIONS;
  const whole = { ...root, proof: best.proof, most: mostProven(best.proof, goal) };
  const closed = branchAndBound(question, whole, best.flow, divisions, (found) => {
    const net = netOf(session, goal, found);
    return net + touchOf(goal, found) + CLOSE_ENOUGH_DIVIDED * Math.abs(net);
  });
  const lasts = paidRoutes(session, goal, closed.flow, closed.top.paid);
  return { proof: closed.top.proof, flow: lasts.reduce(better, closed.flow) };
}

/** Prices of the tokens of a flow and of those that carry most of the trade without gas. */
function pricesOf(relaxed: Relaxed, flow: Settled): Map<number, number> {
  const prices = new Map(flow.logPrices);
  for (const { from, to } of relaxed.edges())
    for (const node of [from, to]) {
      const logPrice = relaxed.logPrices.get(node);
      if (logPrice !== undefined && !prices.has(node) && prices.size < MOST_NODES) prices.set(node, logPrice);
    }
  return prices;
}

/** What a proof leaves open above a flow besides the gas of one touch, as a part of what the flow is worth. */
function openIn(session: Session, goal: Goal, { proof, flow }: Tightened): number {
  const net = netOf(session, goal, flow);
  return (mostProven(proof, goal) - net - touchOf(goal, flow)) / Math.abs(net);
}

/** What the cheapest touch of a flow costs. */
function touchOf(goal: Goal, { support }: Settled): number {
  return Math.min(...support.edges.map(({ gas }) => gas)) * goal.costPerGas;
}

/** What as many touches as a route may make cost if they cost what those of a flow do, as a part of what the flow is worth. */
function gasOfAllFills(goal: Goal, flow: Settled, net: number): number {
  return (goal.maxFills * gasOfFlow(goal, flow) * goal.costPerGas) / flow.support.edges.length / net;
}
