import { proveAtFirst } from "../bound/bound.ts";
import { mostProven } from "../bound/certificate.ts";
import type { PriceProof } from "../bound/measure.ts";
import { mostCarrying } from "../bound/most-carrying.ts";
import type { Relaxed } from "../bound/relax.ts";
import { roomOf } from "../bound/room.ts";
import type { PaidFlow } from "../charge/paid-flow.ts";
import { type Goal, isBetter, mostSoldFor, netOf, resize } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { choosePools } from "./choose-pools.ts";
import { endedAtOwnTicks, endedAtTicks } from "./end-at-ticks.ts";
import { flowOver } from "./flow-over.ts";
import { type GasProof, MOST_NODES, provenFrom, provenWithNeeds } from "./gas-proof.ts";
import type { Proven } from "./search.ts";

/** A proof, and the flow that it was worked out for or a better one. */
export interface Tightened {
  readonly proof: PriceProof;
  readonly flow: Settled;
}

/** What may stay open besides the gas of one touch, as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;
/**
 * How closely the kinks of pools are followed, as parts of the trade's value: in the first round, unless that is less than
 * a part of a touch, and at last, unless that is. Each round is ten times as close and begins where the last one ended.
 */
const ROUGH = 5e-4;
const CLOSE = 1e-6;
const [ROUGHEST, CLOSEST] = [0.1, 0.01];
/** What a touch counts as at least, as a part of the trade's value: pools may be touched for nothing. */
const LEAST_TOUCH = 1e-9;
/** Part of all fills from which on what is open beyond the least gas of all of them is not gas. */
const LARGE = 0.5;
/** Steps of the last round above which needs do not join: they take several such rounds. */
const MOST_STEPS = 125_000;
/** Part of a touch from which on a pool is tried as a part of a route. */
const HALF = 0.5;
/** Part of a touch that a pool may fall short of being worth it for a route to be tried over it as well, and what it counts as then. */
const NEARLY = 0.5;
const LEAST_PART = 0.01;
/** Part of the largest value that an edge carries below which it carries nothing. */
const TRACE = 1e-4;

/**
 * Where a proof leaves more than the gas of a touch open: the dual of the trade with gas is minimised over all pools, each
 * selling and buying no more than the trade can bring there, and the pools that this takes are tried as a route. What
 * stays open then, because pools pay parts of their gas, is closed by what routes need; what is touched by more than half then
 * is tried as well.
 */
export function tighten(
  session: Session,
  goal: Goal,
  flow: Settled,
  { relaxed, proof: known, charged }: Proven,
): Tightened {
  const amount = mostSoldFor(session, goal, flow);
  // What is known of a purchase was proven for one of another size.
  const proof = goal.kind === "sell" ? known : proveAtFirst(session, amount, goal, relaxed);
  let best: Tightened = { proof, flow };
  if (flow.stuck > 0 || openIn(session, goal, best) <= CLOSE_ENOUGH) return best;
  best = { proof, flow: endedAtOwnTicks(session, goal, flow) };
  const short = charged && endedAtTicks(session, goal, flow, charged);
  if (short !== undefined && isBetter(session, goal, short, best.flow)) best = { proof, flow: short };
  const touch = Math.max(LEAST_TOUCH, touchOf(goal, flow) / Math.abs(netOf(session, goal, flow)));
  // What the charge for touches has been minimised with says more of such a flow.
  const isLarge = flow.support.edges.length >= LARGE * goal.maxFills;
  if (isLarge && (charged !== undefined || openIn(session, goal, best) > goal.maxFills * touch)) return best;
  const question = { session, goal, amount, room: roomOf(session, amount, relaxed) };
  let root: GasProof | undefined;
  let spent = 0;
  for (let width = Math.min(1, Math.max(ROUGHEST, ROUGH / touch)); !session.over(); width /= 10) {
    const before = session.steps;
    const next = provenFrom(question, root?.logPrices ?? pricesOf(relaxed, flow), [], width);
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
  const other = flowOf(session, goal, flow, root.paid);
  if (other !== undefined && isBetter(session, goal, other, best.flow)) best = { ...best, flow: other };
  const open = openIn(session, goal, best);
  if (open <= CLOSE_ENOUGH || spent > MOST_STEPS) return best;
  const net = netOf(session, goal, best.flow);
  const enough = net + touchOf(goal, best.flow) + CLOSE_ENOUGH * Math.abs(net);
  const first = { ...root, proof: best.proof, most: mostProven(best.proof, goal) };
  const { proof: last, paid } = provenWithNeeds(question, first, enough);
  const touched = flowTouched(session, goal, flow.sellAmount, paid);
  const isTouched = touched !== undefined && isBetter(session, goal, touched, best.flow);
  return { proof: last, flow: isTouched ? touched : best.flow };
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

/** What a proof leaves open above a flow besides the gas of one touch, as a part of what the flow is worth. */
function openIn(session: Session, goal: Goal, { proof, flow }: Tightened): number {
  const net = netOf(session, goal, flow);
  return (mostProven(proof, goal) - net - touchOf(goal, flow)) / Math.abs(net);
}

/** What the cheapest touch of a flow costs. */
function touchOf(goal: Goal, { support }: Settled): number {
  return Math.min(...support.edges.map(({ gas }) => gas)) * goal.costPerGas;
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
  if (pruned === undefined) return undefined;
  return endedAtTicks(session, goal, resize(session, goal, choosePools(session, goal, pruned, edges), 12), paid);
}

/** The flow over the pools of which more than half a touch is paid. */
function flowTouched(session: Session, goal: Goal, sellAmount: number, paid: PaidFlow): Settled | undefined {
  const { edges, parts, sells, logPrices } = paid;
  const carrying = edges.flatMap((edge, i) => {
    if ((parts[i] as number) <= HALF) return [];
    return [{ edge, value: (sells[i] as number) * Math.exp(logPrices.get(edge.from) as number) }];
  });
  const flow = flowOver(session, goal, sellAmount, mostCarrying(carrying, 0), logPrices);
  return flow && endedAtTicks(session, goal, flow, paid);
}
