import { measure, mostProven, nodesThatEarn, noMoreThan, type PriceProof, roomOf } from "../bound/measure.ts";
import { outerPrice } from "../bound/outer-prices.ts";
import { proveAtFirst, type Relaxed } from "../bound/relax.ts";
import { type Edge, isStepped } from "../edges/edges.ts";
import type { Room } from "../edges/trade-at.ts";
import { solveFlow } from "../flow/flow.ts";
import { mayEarn } from "../flow/gas-term.ts";
import { isBetter, mostSoldFor, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { slotsAmong } from "../session/edges-among.ts";
import { gasAtPrice, type Search } from "../session/search.ts";
import { endedAtTicks, overEnds } from "./end-at-ticks.ts";
import type { Proven } from "./improve-flow.ts";
import { flowOver, prune } from "./prune.ts";

/** Gap that may stay open, as a part of the trade's value. */
const CLOSE_ENOUGH = 1e-4;
/** Gap above a flow from which prices are minimised with gas once more, likewise. */
const WIDE = 1e-3;
/** Rounding of the kinks of pools, as a part of their gas. */
const WIDTH = 0.1;
/** Tokens whose prices are minimised over together, and those that join after a round. */
const MAX_NODES = 160;
const MAX_NEW = 32;
/** Rounds, as long as pools that were not minimised over earn more than the part `MISSED` of the gap. */
const MAX_ROUNDS = 5;
const MISSED = 0.1;
/** Earnings of pools at a token from which it joins, as a part of the trade's value. */
const NOTICED = 1e-7;
/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.9;
/** Shift of prices in a pool's favour within which it takes part in the minimisation, as a part of a rate, besides the gas of a pool use. */
const NEAR = 0.8;
/** Gain of a further step at which prices are close enough: a part of the gap, or of the trade's value. */
const PRECISE = 3e-4;
const MOST_PRECISE = 1e-8;

/**
 * Minimises the dual with gas if a proof leaves a gap above a flow: over all pools, each selling and buying no more than the trade
 * can bring there. `edges`: the pools that earn at least a part of their gas then, those that carry most first. They are tried as a
 * route; pools whose gas grows with what they sell end where that is worth it. `isTight`: the proof is already of such prices.
 */
export function tighten(
  search: Search,
  known: Split,
  { relaxed, proof }: Proven,
  isTight = false,
): Pick<Proven, "proof"> & { readonly flow: Split; readonly edges: readonly Edge[] } {
  const amount = mostSoldFor(search, known);
  // The known bound of an exact-out trade is that of another size.
  let best = search.side === "exactIn" ? proof : proveAtFirst(search, amount, relaxed);
  const isClose = openAbove(search, best, known) <= (isTight ? WIDE : CLOSE_ENOUGH);
  if (known.stuck > 0 || isClose) return { proof: best, flow: known, edges: [] };
  const flow = endedAtTicks(search, known);
  const room = roomOf(search, amount, relaxed);
  const trade = { side: "exactIn", amount, gas: { room, width: WIDTH } } as const;
  const close = Math.max(MOST_PRECISE, PRECISE * openAbove(search, best, flow));
  const use =
    (search.costPerGas * Math.min(...flow.support.edges.map(({ gas }) => gas))) / Math.abs(netOf(search, flow));
  let start = pricesOf(relaxed, flow);
  let least = Number.POSITIVE_INFINITY;
  let other: { readonly used: ReadonlyMap<Edge, number>; readonly logPrices: ReadonlyMap<number, number> } | undefined;
  for (let round = 0; round < MAX_ROUNDS && !search.over(); round++) {
    const edges = edgesNear(search, start, room, NEAR / (1 + use));
    const { logPrices, sells, value } = solveFlow(search, { edges }, trade, start, close);
    const worth = amount * Math.exp(logPrices.get(search.source) as number);
    const costPerGas = gasAtPrice(search, worth / amount);
    const all = new Map([...start, ...logPrices]);
    const measured = measure(search, all, amount, { worth, costPerGas, room });
    const next = noMoreThan(measured.proof, search, amount);
    const most = mostProven(next, search);
    if (most < mostProven(best, search)) best = next;
    const open = openAbove(search, best, flow);
    if (open <= CLOSE_ENOUGH) return { proof: best, flow, edges: [] };
    // Prices that prove less than those before are none to go on from.
    if (most >= least) break;
    least = most;
    other = { used: usedEdges(edges, sells, logPrices), logPrices };
    if (worth + measured.proof.earned - value <= MISSED * open * worth) break;
    const fresh = nodesThatEarn(search, measured.earners, (node) => !all.has(node), NOTICED * worth);
    for (const node of fresh.slice(0, Math.max(0, Math.min(MAX_NEW, MAX_NODES - all.size))))
      all.set(node, Math.log(outerPrice(search, measured.prices, node)));
    start = all;
  }
  if (other === undefined) return { proof: best, flow, edges: [] };
  const { used, logPrices } = other;
  const edges = [...used.keys()];
  const ended =
    edges.some(isStepped) && overEnds(search, { ...flow, edges, logPrices }, used, (all) => prune(search, all));
  const route = ended || flowOver(search, flow.sellAmount, edges, logPrices);
  return { proof: best, flow: route && isBetter(search, route, flow) ? route : flow, edges };
}

/** The edges that earn a part of their gas, those that carry most first, and what they sell. */
function usedEdges(
  edges: readonly Edge[],
  sells: Float64Array,
  logPrices: ReadonlyMap<number, number>,
): ReadonlyMap<Edge, number> {
  const value = (i: number) => (sells[i] as number) * Math.exp(logPrices.get((edges[i] as Edge).from) as number);
  const used = [...edges.keys()].filter((i) => (sells[i] as number) > 0);
  return new Map(used.sort((a, b) => value(b) - value(a)).map((i) => [edges[i] as Edge, sells[i] as number]));
}

/** The edges between tokens that may be worth a pool use near these prices: `near` is what those of sold tokens may fall to, as a part. */
function edgesNear(search: Search, start: ReadonlyMap<number, number>, room: Room, near: number): Edge[] {
  const { graph, source } = search;
  const priceOf = (node: number) => Math.exp(start.get(node) as number);
  const perGas = gasAtPrice(search, priceOf(source));
  const edges = slotsAmong(search, start, [...start.keys()], BAND, () => true).map(graph.edgeAt);
  return edges.filter((edge) => {
    const { from, to, gas, depth } = edge;
    const prices = { sell: near * priceOf(from), buy: priceOf(to) };
    if (!mayEarn(edge, prices, room(from), room(to), gas * perGas)) return false;
    return depth > 0 || (edge.curve.ceiling ?? edge.curve).concave;
  });
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

/** Gap of a proof above a flow, as a part of the flow's value. */
function openAbove(search: Search, proof: PriceProof, flow: Split): number {
  const net = netOf(search, flow);
  return (mostProven(proof, search) - net) / Math.abs(net);
}
