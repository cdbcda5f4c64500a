import { type Refined, refined } from "./bound.ts";
import { mostProven } from "./certificate.ts";
import { choosePools } from "./choose-pools.ts";
import { type Goal, gasAtPrice, isBetter, netOf, resize } from "./goal.ts";
import type { PriceProof } from "./measure.ts";
import { mostCarrying } from "./most-carrying.ts";
import { outerPrice } from "./outer-prices.ts";
import type { Relaxed } from "./relax.ts";
import { type PaidFlow, relaxPaid } from "./relax-paid.ts";
import { roomOf } from "./room.ts";
import { flowOver } from "./search.ts";
import type { Session } from "./session.ts";
import type { Settled } from "./settled.ts";

/** A proof, and the flow that it was worked out for or a better one. */
export interface Tightened {
  readonly proof: PriceProof;
  readonly flow: Settled;
}

/** What may stay open besides the gas of one touch, as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;
/** How steep the slopes are that prices are minimised over, as parts of a rate: each round begins where the last one ended. */
const WIDTHS = [0.01, 0.001, 2e-4];
/** Tokens whose prices are minimised over together. */
const MOST_NODES = 160;
/** Part of the largest value that an edge carries below which it carries nothing. */
const TRACE = 1e-4;

/**
 * Where a proof leaves more than the gas of a touch open: the dual of the trade with gas is minimised over all pools, each
 * selling no more than the trade can bring there, and the pools that this takes are tried as a route.
 */
export function tighten(session: Session, goal: Goal, flow: Settled, relaxed: Relaxed, proof: PriceProof): Tightened {
  let best: Tightened = { proof, flow };
  if (flow.stuck > 0 || isTight(goal, best, netOf(session, goal, flow))) return best;
  const perGas = (sellPrice: number) => gasAtPrice(goal, sellPrice);
  // No better purchase sells more than this one costs.
  const amount = goal.kind === "sell" ? goal.amount : -netOf(session, goal, flow);
  const room = roomOf(session, amount, relaxed);
  let logPrices: ReadonlyMap<number, number> = pricesOf(relaxed, flow);
  let reached = Number.POSITIVE_INFINITY;
  let paid: PaidFlow | undefined;
  for (const width of WIDTHS) {
    if (session.over()) return best;
    const next = relaxPaid(session, logPrices, amount, perGas, room, width);
    const costPerGas = perGas(Math.exp(next.logPrices.get(session.source) as number));
    const measured = refined(session, next.logPrices, costPerGas, amount, room);
    const proven = noMoreThan(measured.proof, goal, amount);
    if (mostProven(proven, goal) < mostProven(best.proof, goal)) best = { ...best, proof: proven };
    if (isTight(goal, best, netOf(session, goal, flow))) return best;
    // Prices that prove less than those before are none to go on from.
    if (mostProven(proven, goal) >= reached) continue;
    reached = mostProven(proven, goal);
    paid = next;
    logPrices = joined(session, measured, next.logPrices);
  }
  const other = paid && flowOf(session, goal, flow, paid);
  return other !== undefined && isBetter(session, goal, other, flow) ? { ...best, flow: other } : best;
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
function isTight(goal: Goal, { proof, flow }: Tightened, net: number): boolean {
  const touch = Math.min(...flow.support.edges.map(({ gas }) => gas)) * goal.costPerGas;
  return mostProven(proof, goal) - net <= touch + CLOSE_ENOUGH * Math.abs(net);
}

/** A purchase is not proven to cost more than the one that the room was worked out for. */
function noMoreThan(proof: PriceProof, goal: Goal, amount: number): PriceProof {
  if (goal.kind === "sell") return proof;
  const earned = goal.amount + proof.unavoidable - amount * proof.sellPrice;
  return earned > proof.earned ? { ...proof, earned } : proof;
}

/** These prices and those of the tokens at which pools still earn, most first, as they were measured. */
function joined(
  session: Session,
  { earners, prices }: Refined,
  logPrices: ReadonlyMap<number, number>,
): Map<number, number> {
  const { graph } = session;
  const all = new Map(logPrices);
  for (const { slot } of [...earners].sort((a, b) => b.profit - a.profit))
    for (const node of [graph.from[slot] as number, graph.to[slot] as number]) {
      if (all.has(node)) continue;
      if (all.size >= MOST_NODES) return all;
      all.set(node, Math.log(outerPrice(session, prices, node)));
    }
  return all;
}

/** The route over the pools that a flow takes that pays parts of touches. */
function flowOf(session: Session, goal: Goal, flow: Settled, paid: PaidFlow): Settled | undefined {
  const carrying = paid.edges.map((edge, i) => ({
    edge,
    value: (paid.sells[i] as number) * Math.exp(paid.logPrices.get(edge.from) as number),
  }));
  const edges = mostCarrying(carrying, TRACE);
  const pruned = flowOver(session, goal, flow.sellAmount, edges, paid.logPrices);
  return pruned && resize(session, goal, choosePools(session, goal, pruned, edges), 12);
}
