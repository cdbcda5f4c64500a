import { type Branch, branchAndBound, branchAt } from "./branch.ts";
import { mostProven } from "./certificate.ts";
import { choosePools } from "./choose-pools.ts";
import { type Goal, isBetter, netOf, resize } from "./goal.ts";
import type { PriceProof } from "./measure.ts";
import { mostCarrying } from "./most-carrying.ts";
import type { PaidFlow } from "./paid-flow.ts";
import type { Relaxed } from "./relax.ts";
import { roomOf } from "./room.ts";
import { flowOver } from "./search.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";

/** A proof, and the flow that it was worked out for or a better one. */
export interface Tightened {
  readonly proof: PriceProof;
  readonly flow: Settled;
}

/** What may stay open besides the gas of one touch, as a part of the trade's value, and where routes would have to be divided. */
const CLOSE_ENOUGH = 1e-4;
const CLOSE_ENOUGH_DIVIDED = 3e-4;
/** How closely the kinks of pools are followed, as parts of their gas: each round begins where the last one ended. */
const WIDTHS = [0.1, 0.01];
/** Tokens whose prices are minimised over together to begin with. */
const MOST_NODES = 160;
/** Part of all fills from which on a flow has as good as all of them. */
const FULL = 0.9;
/** Part of a touch that a pool may fall short of being worth it for a route to be tried over it as well, and what it counts as then. */
const NEARLY = 0.5;
const LEAST_PART = 0.01;
/** Part of the largest value that an edge carries below which it carries nothing. */
const TRACE = 1e-4;

/**
 * Where a proof leaves more than the gas of a touch open: the dual of the trade with gas is minimised over all pools, each
 * selling and buying no more than the trade can bring there, and the pools that this takes are tried as a route. What
 * stays open then, because pools pay parts of their gas, is closed by branch and bound.
 */
export function tighten(session: Session, goal: Goal, flow: Settled, relaxed: Relaxed, proof: PriceProof): Tightened {
  let best: Tightened = { proof, flow };
  if (flow.stuck > 0 || isTight(session, goal, best, CLOSE_ENOUGH)) return best;
  // No better purchase sells more than this one costs.
  const amount = goal.kind === "sell" ? goal.amount : -netOf(session, goal, flow);
  const question = { session, goal, amount, room: roomOf(session, amount, relaxed) };
  const any = { needed: [], barred: [] };
  let root: Branch | undefined;
  for (const width of WIDTHS) {
    if (session.over()) return best;
    const next = branchAt(question, any, root?.logPrices ?? pricesOf(relaxed, flow), undefined, width);
    if (next.most < mostProven(best.proof, goal)) best = { ...best, proof: next.proof };
    if (isTight(session, goal, best, CLOSE_ENOUGH)) return best;
    // Prices that prove less than those before are none to go on from.
    if (root === undefined || next.most < root.most) root = next;
  }
  if (root === undefined) return best;
  const other = flowOf(session, goal, flow, root.paid);
  if (other !== undefined && isBetter(session, goal, other, flow)) best = { ...best, flow: other };
  // Where all fills are taken, what is missing is more fills.
  const full = best.flow.support.edges.length >= FULL * goal.maxFills;
  if (full || isTight(session, goal, best, CLOSE_ENOUGH_DIVIDED)) return best;
  const whole = { ...root, proof: best.proof, most: mostProven(best.proof, goal) };
  const enough = enoughFor(session, goal, best.flow, CLOSE_ENOUGH_DIVIDED);
  const top = branchAndBound(question, whole, enough);
  const last = flowOf(session, goal, flow, top.paid);
  const isLast = last !== undefined && isBetter(session, goal, last, best.flow);
  return { proof: top.proof, flow: isLast ? last : best.flow };
}

/** Prices of the tokens of a flow and of those that carry most of the trade without gas. */
function pricesOf(relaxed: Relaxed, flow: Settled): Map<number, number> {
  const prices = new Map(flow.logPrices);
  for (const { from, to } of relaxed.edges)
    for (const node of [from, to]) {
      const logPrice = relaxed.logPrices.get(node);
      if (logPrice !== undefined && !prices.has(node) && prices.size < MOST_NODES) prices.set(node, logPrice);
    }
  return prices;
}

/** Whether a proof leaves no more open than the gas of one touch and a trifle. */
function isTight(session: Session, goal: Goal, { proof, flow }: Tightened, trifle: number): boolean {
  return mostProven(proof, goal) <= enoughFor(session, goal, flow, trifle);
}

/** What a flow is worth with the gas of one touch and a part of that more. */
function enoughFor(session: Session, goal: Goal, flow: Settled, trifle: number): number {
  const net = netOf(session, goal, flow);
  return net + Math.min(...flow.support.edges.map(({ gas }) => gas)) * goal.costPerGas + trifle * Math.abs(net);
}

/** The route over the pools that a flow takes that pays parts of touches, and those that nearly are worth it. */
function flowOf(session: Session, goal: Goal, flow: Settled, paid: PaidFlow): Settled | undefined {
  const { parts, sells, profits, costs, logPrices } = paid;
  const carrying = paid.edges.flatMap((edge, i) => {
    if ((profits[i] as number) < -NEARLY * (costs[i] as number)) return [];
    const value = (sells[i] as number) * Math.exp(logPrices.get(edge.from) as number);
    return [{ edge, value: Math.max(LEAST_PART, parts[i] as number) * value }];
  });
  const edges = mostCarrying(carrying, TRACE);
  const pruned = flowOver(session, goal, flow.sellAmount, edges, logPrices);
  return pruned && resize(session, goal, choosePools(session, goal, pruned, edges), 12);
}
