import type { Edge } from "../edges/edges.ts";
import { isBetter, isShort, resize, sellAmountFrom } from "../flow/goal.ts";
import { type PoolOrPair, poolOrPair } from "../flow/pool-uses.ts";
import { type Split, scaleFlow, solveSplit } from "../flow/solve-split.ts";
import { connected, withoutCycles } from "../flow/support.ts";
import { paidBy, pricesAlong } from "../paths/amounts.ts";
import { bestPath, type FoundPath } from "../paths/best-path.ts";
import { pathDirectionOf } from "../paths/path-direction.ts";
import { narrowed, type Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { fitFillLimit } from "./prune.ts";

/** Limit on searches for paths in addition to the columns that a flow has room for. */
const MAX_ROUNDS = 6;
/** Factor by which the amount to sell of an exact-out trade grows if its pools do not pay it. */
const MORE = 1.25;
/** Limit on adjustments of an exact-out trade to its amount. */
const MAX_SIZES = 12;

/** A flow with what of it is left undone, if anything is, by other paths as far as these have room, and columns off that. */
export function placeAll(search: Search, flow: Split): Split {
  let current = flow;
  for (let round = 0; round < MAX_ROUNDS && current.stuck > 0; round++) {
    const filled = fitFillLimit(search, placeRemainder(search, current));
    if (!isBetter(search, filled, current)) break;
    current = addColumns(search, filled);
  }
  return isShort(search, current) ? boughtUp(search, current) : current;
}

/** Fills up an exact-out trade whose pools do not pay all of it: sells ever more, over other paths once they are full. */
function boughtUp(search: Search, flow: Split): Split {
  let current = flow;
  for (let round = 0; round < MAX_ROUNDS && current.buyAmount < search.amount && !search.over(); round++) {
    const amount = MORE * Math.max(1, sellAmountFrom(search, current));
    const exactInTrade = solveSplit(search, current.support.edges, { side: "exactIn", amount }, current.logPrices);
    const filled = exactInTrade && placeRemainder(search, exactInTrade);
    if (filled === undefined || !(filled.buyAmount > current.buyAmount)) break;
    current = filled.stuck > 0 ? scaleFlow(search, filled, filled.sellAmount - filled.stuck) : filled;
  }
  const bought = fitFillLimit(search, resize(search, current, MAX_SIZES));
  return isBetter(search, bought, flow) ? bought : flow;
}

/** Part of what a pool takes at most from which on it counts as full. */
const FULL = 0.999;
const MAX_PATHS = 64;

/**
 * Finds room for what of a trade is stuck: path after path over pools that are not full yet, or other pairs of a pool that
 * may be used again, joins the flow, whatever it costs, until all of the trade goes through or no path is left. A trade
 * that can be done is not refused; one of more than the pools of its token take is not tried.
 */
export function placeRemainder(search: Search, start: Split): Split {
  let current = start;
  const full = new Set<PoolOrPair>();
  const fill = (edge: Edge) => full.add(poolOrPair(search, edge));
  const roomy = narrowed(search, (edge) => !full.has(poolOrPair(search, edge)));
  for (let round = 0; round < MAX_PATHS && current.stuck > 0 && !search.over(); round++) {
    current.support.edges.forEach((edge, i) => {
      if ((current.sells[i] as number) >= FULL * edge.curve.maxSell) fill(edge);
    });
    if (!hasRoom(roomy, current.stuck)) break;
    const path = pathFor(whole(roomy, current.stuck), current.stuck) ?? pathFor(roomy, current.stuck);
    if (path === undefined) break;
    const edges = new Set([...current.support.edges, ...path.edges]);
    const fitting = connected(search, withoutCycles([...edges], search.source, search.sink));
    const start = new Map([...pricesAlong(path.edges, 0), ...current.logPrices]);
    const next = solveSplit(search, fitting, { side: "exactIn", amount: current.sellAmount }, start);
    // If the new path does not help, its pools are not tried again.
    if (!next || next.stuck >= current.stuck) path.edges.forEach(fill);
    if (next !== undefined && next.stuck < current.stuck) current = next;
  }
  return current;
}

/** The best path for an amount, whether its pools take all of it or not. */
function pathFor(search: Search, amount: number): FoundPath | undefined {
  return bestPath(search, pathDirectionOf(search, "exactIn"), amount, 0, (edge, sold) =>
    paidBy(edge, sold, search.time),
  );
}

/** Whether the pools of the sold token that are left could take so much. */
function hasRoom({ graph, source, endOf, allows }: Search, stuck: number): boolean {
  let room = 0;
  for (let slot = graph.start[source] as number; slot < endOf(source) && room < stuck; slot++) {
    const edge = graph.edgeAt(slot);
    if (edge.spot > 0 && allows(edge)) room += edge.curve.maxSell;
  }
  return room >= stuck;
}

/** Search limited to pools that take all of an amount, about, in spot value. */
function whole(search: Search, stuck: number): Search {
  const { rest } = search.graph;
  const least = stuck * (rest[search.source] as number);
  return narrowed(search, ({ curve, from }) => curve.maxSell * (rest[from] as number) >= least);
}
