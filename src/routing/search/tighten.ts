import { proveAtFirst, refine } from "../bound/bound.ts";
import { mostProven, noMoreThan } from "../bound/certificate.ts";
import type { PriceProof } from "../bound/measure.ts";
import { mostCarrying } from "../bound/most-carrying.ts";
import type { Relaxed } from "../bound/relax.ts";
import { roomOf } from "../bound/room.ts";
import { gasAtPrice, isBetter, mostSoldFor, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { type GasFlow, gasFlow, MAX_NODES } from "../gas/gas-flow.ts";
import type { Goal, Search } from "../session/search.ts";
import { endedAtOwnTicks, endedAtTicks, flowToTicks } from "./end-at-ticks.ts";
import { flowOver } from "./flow-over.ts";
import type { Proven } from "./search-outcome.ts";

/** A proof, and the flow that it was worked out for or a better one. */
export interface Tightened {
  readonly proof: PriceProof;
  readonly flow: Split;
}

/** Gap that may stay open besides the gas of one pool use, as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;
/**
 * Rounding of the kinks of pools, as parts of the trade's value: in the first round, unless that is less than
 * a part of a pool use, and at last, unless that is. Each round is ten times as close and begins where the last one ended.
 */
const ROUGH = 5e-4;
const CLOSE = 1e-6;
const [ROUGHEST, CLOSEST] = [0.1, 0.01];
/** Part of a pool use from which on a pool is tried as a part of a route. */
const HALF = 0.5;
/** Least gas that a pool use counts as, as a part of the trade's value: pools may be used for nothing. */
const MIN_USE = 1e-9;

/**
 * Minimises the dual with gas if a proof leaves more than the gas of a pool use open: over all pools, each
 * selling and buying no more than the trade can bring there. Pools whose gas grows with what they sell end where these
 * prices say.
 */
export function tighten(search: Search, flow: Split, { relaxed, proof: known }: Proven): Tightened {
  const amount = mostSoldFor(search, flow);
  // The known bound of an exact-out trade is that of another size.
  const proof = search.side === "exactIn" ? known : proveAtFirst(search, amount, search, relaxed);
  let best: Tightened = { proof, flow };
  if (flow.stuck > 0 || openIn(search, best) <= CLOSE_ENOUGH) return best;
  best = { proof, flow: endedAtOwnTicks(search, flow) };
  const use = Math.max(MIN_USE, useOf(search, flow) / Math.abs(netOf(search, flow)));
  const question = { search, amount, room: roomOf(search, amount, relaxed) };
  let last: { readonly flow: GasFlow; readonly most: number } | undefined;
  for (let width = Math.min(1, Math.max(ROUGHEST, ROUGH / use)); !search.over(); width /= 10) {
    const paid = gasFlow(question, last?.flow.logPrices ?? pricesOf(relaxed, flow), width);
    const costPerGas = gasAtPrice(search, Math.exp(paid.logPrices.get(search.source) as number));
    const measured = refine(search, paid.logPrices, costPerGas, amount, question.room);
    const next = noMoreThan(measured.proof, search, amount);
    const most = mostProven(next, search);
    if (most < mostProven(best.proof, search)) best = { ...best, proof: next };
    if (openIn(search, best) <= CLOSE_ENOUGH) return best;
    // Prices that prove less than those before are none to go on from.
    if (last === undefined || most < last.most) last = { flow: paid, most };
    if (width <= Math.max(CLOSEST, CLOSE / use)) break;
  }
  if (last === undefined) return best;
  const others = [endedAtTicks(search, flow, last.flow), usedFlow(search, flow.sellAmount, last.flow)];
  for (const other of others)
    if (other !== undefined && isBetter(search, other, best.flow)) best = { ...best, flow: other };
  return best;
}

/** The flow over the pools of which more than half a pool use is paid. */
function usedFlow(search: Search, sellAmount: number, paid: GasFlow): Split | undefined {
  const { edges, parts, sells, logPrices } = paid;
  const carrying = edges.flatMap((edge, i) => {
    if ((parts[i] as number) <= HALF) return [];
    return [{ edge, value: (sells[i] as number) * Math.exp(logPrices.get(edge.from) as number) }];
  });
  const used = mostCarrying(carrying, 0);
  return flowToTicks(search, used, [], sellAmount, paid) ?? flowOver(search, sellAmount, used, logPrices);
}

/** Prices of the tokens of a flow and of those that carry most of the trade without gas. */
function pricesOf(relaxed: Relaxed, flow: Split): Map<number, number> {
  const prices = new Map(flow.logPrices);
  for (const { from, to } of relaxed.edges())
    for (const node of [from, to]) {
      const logPrice = relaxed.logPrices.get(node);
      if (logPrice !== undefined && !prices.has(node) && prices.size < MAX_NODES) prices.set(node, logPrice);
    }
  return prices;
}

/** Gap of a proof above a flow besides the gas of one pool use, as a part of the flow's value. */
function openIn(search: Search, { proof, flow }: Tightened): number {
  const net = netOf(search, flow);
  return (mostProven(proof, search) - net - useOf(search, flow)) / Math.abs(net);
}

/** Gas of the cheapest pool use of a flow. */
function useOf(search: Goal, { support }: Split): number {
  return Math.min(...support.edges.map(({ gas }) => gas)) * search.costPerGas;
}
