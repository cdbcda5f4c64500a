import type { Address } from "../../domain/address.ts";
import type { SwapOrder } from "../../domain/order.ts";
import type { Pool } from "../../pools/pool.ts";
import type { Edge } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";
import type { Wrappers } from "../graph/wrappers.ts";
import { costPerGas } from "../network-cost.ts";
import type { RouteRequest, WarmStart } from "../router.ts";
import { priceEnds } from "../spot/spot-prices.ts";
import type { HubBundles } from "./hub-bundles.ts";
import type { Workspace } from "./workspace.ts";

/** Branches that a search for the best path did not follow and that may lead to a better one. */
export interface Missed {
  /** Whether an amount stood in its own way, where a smaller one may have come as well. */
  repeats: boolean;
  /** Whether the best path had no room for all of the trade: a smaller amount may find it. */
  noRoom: boolean;
}

/** The most that one pool makes of a value at spot prices, as a part of it, and the slots that gain more at the margin: see mostGained. */
export interface Gained {
  value: number;
  most: number;
  above: Int32Array;
}

/** Side whose amount is given: exact-in or exact-out. */
export type Side = SwapOrder["kind"];

/** Goal of a search, in floats. */
export interface Goal {
  readonly side: Side;
  /** The given amount. */
  readonly amount: number;
  /** Bought units (exact-in) or sold units (exact-out) per unit of gas. */
  readonly costPerGas: number;
  /** The most uses of pools that a route may have. */
  readonly maxFills: number;
  /** Least value of a useful flow before its gas, as of a `Trade`. */
  readonly least?: number;
}

/** Bought units per unit of gas where a unit of the sold token is worth `sellPrice`. */
export function gasAtPrice(goal: Goal, sellPrice: number): number {
  return goal.side === "exactIn" ? goal.costPerGas : goal.costPerGas * sellPrice;
}

/** One search: what it is to reach, what it works with, and what it has spent. Searches for parts of it are copies with other values. */
export interface Search extends Goal {
  readonly request: RouteRequest;
  readonly wrappers: Wrappers;
  readonly graph: FlatGraph;
  /** Timestamp that pools are asked for, unix seconds. */
  readonly time: bigint;
  readonly source: number;
  readonly sink: number;
  readonly maxHops: number;
  /** Whether a route may use a pool of several tokens again: what an exact output takes is told before its inputs are made. */
  readonly revisits: boolean;
  readonly workspace: Workspace;
  readonly bundles: HubBundles;
  /** The slot behind the last one of a node that may lie on a route; some among them may lead to dead ends. */
  readonly endOf: (node: number) => number;
  /** The slot behind the last one of the sink over which a route may arrive. */
  readonly entryEnd: number;
  /** Slots of the sink, and of those from which a pool leads there. */
  readonly slotsAtEnd: number;
  /** Slots that gain at spot prices, those of the sold and the bought token among them. */
  readonly restless: Int32Array;
  /** Curve of gains computed for the largest value that has been asked for. */
  readonly gained: Gained;
  /** The least gas of a use of any pool that may lie on a route. */
  readonly leastGas: number;
  /** Whether a route can pass on over this slot of `from`: it leads to no dead end, but for the sink. */
  readonly leadsOn: (slot: number, from: number) => boolean;
  /** Whether a pool leads from the source to this node, and from this node to the sink. */
  readonly opens: (node: number) => boolean;
  readonly closes: (node: number) => boolean;
  /** Fewest pools from the source to a node, and from a node to the sink; infinite when more than two. */
  readonly hopsFromSource: (node: number) => number;
  readonly hopsToSink: (node: number) => number;
  /** Whether a path of at most `maxHops` pools may lie over an edge between these nodes. */
  readonly usable: (from: number, to: number) => boolean;
  /** Whether the request may use an edge's pool; asked once, then remembered. */
  readonly allows: (edge: Edge) => boolean;
  /** Whether the request allows the edge in a slot. */
  readonly allowsSlot: (slot: number) => boolean;
  /** Whether pools are taken to pay whole base units; else flows are as floats see them. */
  readonly whole: boolean;
  /** Routes that are known for the two tokens. */
  readonly warm: WarmStart;
  /** Whether the search may take many times as long to find a better route. */
  readonly isDeep: boolean;
  readonly missed: Missed;
  /** Evaluations of one pool so far, of the search and its copies. */
  readonly work: { steps: number };
  /** The part of its steps that the search has spent. */
  readonly spent: () => number;
  /** Whether the budget is used up or the caller's deadline has passed. */
  readonly over: () => boolean;
}

/** Tightest tolerance of a search, as a part of the trade's value. */
const CLOSEST = 1e-8;
/** Pools looked at from which on that grows with their square: what has cost much is not made perfect. */
const CHEAP = 15_000;

const COLD: WarmStart = { routes: [], explores: false };

/** Values of the memo of allowed pools. */
const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** Marks of nodes next to the source and to the sink. */
const FROM_SOURCE = 1;
const TO_SINK = 2;

export function createSearch(
  request: RouteRequest,
  given: FlatGraph,
  workspace: Workspace,
  wrappers: Wrappers,
  source: number,
  sink: number,
): Search {
  const { budget, order, cost } = request;
  const graph = order.kind === "exactOut" ? toBuy(given) : given;
  const { maxFills } = budget;
  // Every pool of a route lies on a path of its own pools.
  const maxHops = Math.min(budget.maxHops, maxFills);
  const { start, live, from, to, dead, pool, pools } = graph;
  const hops = request.connectors === undefined ? graph.hops : hopsAmong(graph, request.connectors);
  workspace.begin(graph.size);
  const allowed = new Uint8Array(pools.length);
  for (const node of [source, sink]) if (dead[node] === 1) graph.ready(node);
  const ends = priceEnds(graph, source, sink);
  const restless = ends.length === 0 ? graph.restless : Int32Array.from([...graph.restless, ...ends]);
  /** By node whether a pool leads there from the source, and from there to the sink. */
  const near = new Uint8Array(graph.size);
  const opens = (node: number) => ((near[node] as number) & FROM_SOURCE) > 0;
  const closes = (node: number) => ((near[node] as number) & TO_SINK) > 0;
  /** Only node from which a sink that is a dead end can be entered. */
  const gate = dead[sink] === 1 && start[sink] !== start[sink + 1] ? (to[start[sink] as number] as number) : -1;
  const endOf = (node: number) => (node === gate ? (start[node + 1] as number) : (live[node] as number));
  for (let slot = start[source] as number; slot < endOf(source); slot++) near[to[slot] as number] = FROM_SOURCE;
  const entryEnd = dead[source] === 1 && to[start[source] as number] === sink ? start[sink + 1] : live[sink];
  let slotsAtEnd = (entryEnd as number) - (start[sink] as number);
  for (let slot = start[sink] as number; slot < (entryEnd as number); slot++)
    if (dead[to[slot] as number] === 0 || to[slot] === source) {
      const node = to[slot] as number;
      if (!closes(node)) slotsAtEnd += (live[node] as number) - (start[node] as number);
      near[node]! |= TO_SINK;
    }
  const hopsTo = (end: number, isNext: (node: number) => boolean) => {
    /** Memo for nodes further away: computing one reads all its slots. */
    const far = new Map<number, number>();
    return (node: number): number => {
      if (node === end) return 0;
      if (isNext(node)) return 1;
      const known = far.get(node);
      if (known !== undefined) return known;
      let hops = Number.POSITIVE_INFINITY;
      for (let slot = start[node] as number; slot < (live[node] as number) && hops > 2; slot++)
        if (isNext(to[slot] as number)) hops = 2;
      far.set(node, hops);
      return hops;
    };
  };
  const allowsPool = (number: number): boolean => {
    if (allowed[number] === UNKNOWN) allowed[number] = request.allows(pools[number] as Pool) ? YES : NO;
    return allowed[number] === YES;
  };
  /** Whether a route may begin at a node, end there, or lead over it. */
  const mayBeOn = (node: number): boolean => hops[node] === 1 || node === source || node === sink;
  const [amount, counted] =
    order.kind === "exactIn" ? [order.sellAmount, order.buyToken] : [order.buyAmount, order.sellToken];
  const work = { steps: 0 };
  return {
    side: order.kind,
    amount: Number(amount),
    costPerGas: costPerGas(cost, counted),
    request,
    wrappers,
    graph,
    time: request.graph.time,
    source,
    sink,
    maxHops,
    maxFills,
    revisits: order.kind === "exactIn",
    workspace,
    bundles: workspace.bundlesOf(given),
    endOf,
    entryEnd: entryEnd as number,
    slotsAtEnd,
    restless,
    gained: { value: Number.NEGATIVE_INFINITY, most: 1, above: restless },
    leastGas: leastGasOf(graph, source, sink),
    leadsOn: (slot, from) => slot < (live[from] as number) || to[slot] === sink,
    opens,
    closes,
    hopsFromSource: hopsTo(source, opens),
    hopsToSink: hopsTo(sink, closes),
    usable: (from, target) => {
      if (target === source || from === sink) return false;
      // More than one pool counts as two: to see more reads all slots of a node.
      const before = from === source ? 0 : opens(from) ? 1 : 2;
      const after = target === sink ? 0 : closes(target) ? 1 : 2;
      return before + 1 + after <= maxHops;
    },
    allows: (edge) => mayBeOn(edge.from) && mayBeOn(edge.to) && allowsPool(edge.poolNumber),
    allowsSlot: (slot) =>
      mayBeOn(from[slot] as number) && mayBeOn(to[slot] as number) && allowsPool(pool[slot] as number),
    whole: false,
    warm: request.warm ?? COLD,
    isDeep: request.isDeep === true,
    missed: { repeats: false, noRoom: false },
    work,
    spent: () => work.steps / budget.maxSteps,
    over: () => work.steps > budget.maxSteps || budget.expired(),
  };
}

/** The graph as exact-out trades see it, where some curves end elsewhere. */
function toBuy(graph: FlatGraph): FlatGraph {
  const edgeAt = (slot: number) => {
    const edge = graph.edgeAt(slot);
    return edge.toBuy ?? edge;
  };
  return { ...graph, edgeAt };
}

/** The nodes of some tokens that routes may lead over. */
function hopsAmong({ size, hops, nodeOf }: FlatGraph, tokens: Iterable<Address>): Uint8Array {
  const among = new Uint8Array(size);
  for (const token of tokens) {
    const node = nodeOf(token);
    if (node !== undefined) among[node] = hops[node] as number;
  }
  return among;
}

/** Least gas of a use of a pool that pays, those around both ends among them, which may pay one way alone; 0 where there is none. */
function leastGasOf({ leastGas, dead, start, twin, spot, gas }: FlatGraph, source: number, sink: number): number {
  let least = leastGas;
  for (const node of [source, sink])
    for (let slot = start[node] as number; dead[node] === 1 && slot < (start[node + 1] as number); slot++)
      for (const way of [slot, twin[slot] as number]) if (spot[way]) least = Math.min(least, gas[way] as number);
  return Number.isFinite(least) ? least : 0;
}

/** The search over those edges alone that it allows and `wants`. */
export function narrowed(search: Search, wants: (edge: Edge) => boolean): Search {
  const allows = (edge: Edge) => wants(edge) && search.allows(edge);
  return { ...search, allows, allowsSlot: (slot) => allows(search.graph.edgeAt(slot)) };
}

/** Tolerance of the gap, as a part of the trade's value: the more work the search has done, the wider. */
export function closeEnough({ work }: Search): number {
  return CLOSEST * Math.max(1, (work.steps / CHEAP) ** 2);
}
