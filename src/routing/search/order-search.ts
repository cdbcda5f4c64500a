import type { Edge } from "../edges/edges.ts";
import { solveFlow } from "../flow/flow.ts";
import { gasInBought, gasOf, isDone, priceOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected } from "../flow/support.ts";
import { gasAtPrice, type Search } from "../session/search.ts";
import { addColumns, columnsOf, isVisiblyBetter, ROUGH } from "./add-columns.ts";
import { type Move, moved, OrderModel, type TokenOrder } from "./order-model.ts";
import { flowOver } from "./prune.ts";

/** Parcel that columns against the order are looked for with, as a part of the trade, and how many of them bring their tokens. */
const PARCEL = 0.05;
const MAX_COLUMNS = 100;
/** The best-connected tokens that may join. */
const HUBS = 24;
/** Relative gain that a move has to bring. */
const MIN_GAIN = 1e-4;
/** Moves that are tried after one another without a gain, and in all. */
const MAX_VAIN = 20;
const MAX_TRIED = 100;
/** Part of the trade that its gas may be: beyond that other pools are worth more than another order. */
const DEAR = 0.25;
/** Promise of a further Newton step at which a flow is close enough, as a part of the trade's value. */
const CLOSE = 1e-4;

/** The flow over all pools that lead on in an order of tokens. */
interface Ordered {
  readonly order: TokenOrder;
  readonly logPrices: ReadonlyMap<number, number>;
  /** Objective, where no edge costs more gas than it earns. */
  readonly net: number;
  /** The edges that carry something, those that earn most first. */
  readonly edges: () => readonly Edge[];
}

/**
 * The best of a flow and what local search over the order of its tokens comes to. Columns never change that order, as a flow is
 * acyclic. Given the order, the flow over all pools that lead on in it is a convex problem. A neighbour has one token elsewhere.
 */
export function reorder(search: Search, start: Split): Split {
  const isDear = gasOf(start.support.edges) * gasInBought(search, start) > DEAR * start.buyAmount;
  const isOpen = isDone(search, start) && !isDear && !search.over();
  const other = isOpen ? inBetterOrder(search, start) : undefined;
  const next = other && addColumns(search, other, ROUGH);
  return next !== undefined && isVisiblyBetter(search, next, start) ? next : start;
}

/** The flow in the best order that moves of single tokens come to; undefined where none is worth more. */
function inBetterOrder(search: Search, flow: Split): Split | undefined {
  const logPrices = tokensFor(search, flow);
  const model = new OrderModel(search, flow, logPrices);
  const prices = new Map(logPrices);
  const worth = flow.sellAmount * priceOf(flow, search.source);
  /** By token the promise of a move that was in vain: that changes little while others move. */
  const vain = new Map<number, number>();
  const first = flowIn(search, model, [...model.nodes.keys()], prices);
  let best = first;
  let tried = 0;
  for (let isBetter = true; isBetter && best !== undefined && tried < MAX_TRIED && !search.over(); ) {
    isBetter = false;
    for (const [node, logPrice] of best.logPrices) prices.set(node, logPrice);
    const promiseOf = ({ token, gain }: Move) => gain - (vain.get(token) ?? 0);
    const { order, net } = best;
    const least = net + MIN_GAIN * Math.abs(net);
    const moves = model
      .moves(search, order, prices)
      .filter((move) => promiseOf(move) > MIN_GAIN * worth)
      .sort((a, b) => promiseOf(b) - promiseOf(a));
    for (const move of moves.slice(0, MAX_VAIN)) {
      if (isBetter || tried++ >= MAX_TRIED || search.over()) break;
      const node = model.nodes[move.token] as number;
      const logPrice = prices.get(node) as number;
      prices.set(node, logPrice + move.shift);
      const next = flowIn(search, model, moved(order, move), prices, least);
      prices.set(node, logPrice);
      isBetter = next !== undefined && next.net > least;
      if (isBetter) best = next;
      else vain.set(move.token, Math.max(vain.get(move.token) ?? 0, move.gain));
    }
  }
  if (best === undefined || best === first) return undefined;
  return flowOver(search, flow.sellAmount, best.edges(), best.logPrices);
}

/**
 * The tokens that an order may have, in the one that a flow has, with their prices: those of the flow, of columns that would close a
 * cycle with it, and the best-connected ones. New ones stand in the middle.
 */
function tokensFor(search: Search, flow: Split): ReadonlyMap<number, number> {
  const { graph, source, sink } = search;
  const { order } = flow.support;
  const logRest = (node: number) => Math.log(graph.rest[node] as number);
  const liftOf = (node: number) => (flow.logPrices.get(node) as number) - logRest(node);
  const level = (liftOf(source) + liftOf(sink)) / 2;
  const against = columnsOf(search, flow, PARCEL, true).slice(0, MAX_COLUMNS);
  const others = new Set([...against.flatMap(({ edges }) => edges.map(({ to }) => to)), ...graph.hubs.slice(0, HUBS)]);
  for (const node of order) others.delete(node);
  const middle = order.findIndex((node, at) => at > 0 && (liftOf(node) < level || node === sink));
  const nodes = order.toSpliced(middle, 0, ...others);
  return new Map(nodes.map((node) => [node, flow.logPrices.get(node) ?? level + logRest(node)]));
}

/** The flow over an order; undefined where prices prove it worth less than `least`, or nothing leads to the bought token. */
function flowIn(
  search: Search,
  model: OrderModel,
  order: TokenOrder,
  prices: ReadonlyMap<number, number>,
  least?: number,
): Ordered | undefined {
  const { side, amount, costPerGas, source } = search;
  const edges = connected(search, model.edgesIn(order));
  if (edges.length === 0) return undefined;
  const trade = { side, amount, ...(least !== undefined && { least }) };
  const { value, pays, logPrices, ...flow } = solveFlow(search, { edges }, trade, prices, CLOSE);
  if (!pays || (least !== undefined && value < least)) return undefined;
  const [sells, profits] = [flow.sells.slice(), flow.profits.slice()];
  const perGas = gasAtPrice(search, Math.exp(logPrices.get(source) as number));
  let gas = 0;
  if (perGas > 0)
    for (let i = 0; i < edges.length; i++)
      if ((sells[i] as number) > 0) gas += Math.min((edges[i] as Edge).gas, (profits[i] as number) / perGas);
  const carrying = () =>
    [...edges.keys()]
      .filter((i) => (sells[i] as number) > 0)
      .sort((a, b) => (profits[b] as number) - (profits[a] as number))
      .map((i) => edges[i] as Edge);
  return { order, logPrices, net: value - gas * costPerGas, edges: carrying };
}
