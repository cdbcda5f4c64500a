import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { type Layer, mark, pathTo, repeats } from "../session/layers.ts";
import type { Search } from "../session/search.ts";
import { hubFloor } from "./hub-floor.ts";
import { mostGainedBy } from "./most-gained.ts";
import { neededFor } from "./needed.ts";
import { exactly, type Rounding } from "./whole-units.ts";

/** A chain of edges and what it pays for the amount it was found for. */
export interface FoundPath {
  readonly edges: readonly Edge[];
  readonly buyAmount: number;
}

/** More gas than any path takes. */
const MOST_GAS = 1e8;
/** Room for rounding where paths are left out because they can bring no more than what is known already, as a part of it. */
const ROUNDING = 1e-9;

/** What labels have to be worth to be followed. All values are at rest. */
interface Bar {
  /** What a path brings at the least, after its gas. */
  readonly floor: number;
  /** What a unit of gas costs. */
  readonly gasValue: number;
  /** The most that the pools to come make of a label, as a part of it. */
  readonly bonus: number;
  /** What has to come of the sink in the end, at the least, where one pool more follows. */
  readonly atEnd: number;
}

/**
 * The path of at most `maxHops` pools that pays most for `sellAmount`, net of `costPerGas` in bought units: one label a
 * token and layer, largest amount first (curves are monotone, so the largest amount is the best to go on with). Labels
 * are not followed that are worth no more, at rest, with all that pools out of line could add, and after the gas of one
 * pool more, than the best path known so far. `whole`: how amounts are rounded; not at all for a price rather than a
 * trade.
 */
export function bestPath(
  search: Search,
  sellAmount: number,
  costPerGas: number,
  whole = exactly,
): FoundPath | undefined {
  const { source, sink, maxHops, graph } = search;
  const layers = search.layers.clear(maxHops, graph.size);
  mark(layers[0] as Layer, source, sellAmount, undefined);
  const worth = graph.rest[sink] as number;
  let best: FoundPath | undefined;
  let bestNet = Number.NEGATIVE_INFINITY;
  const gasValue = costPerGas * worth;
  let floor = maxHops > 1 ? hubFloor(search, sellAmount, costPerGas, whole) : Number.NEGATIVE_INFINITY;
  for (let hop = 1; hop <= maxHops; hop++) {
    const least = floor - ROUNDING * Math.abs(floor);
    const atEnd = Math.max(0, (least + gasValue * search.leastGas * (hop + 1)) / worth);
    if (hop < maxHops) {
      const bonus = mostGainedBy(search, maxHops - hop, Math.max(0, floor + gasValue * search.leastGas));
      extend(search, layers, hop, { floor: least, gasValue, bonus, atEnd }, whole);
    } else close(search, layers, hop, costPerGas, whole);
    const buyAmount = (layers[hop] as Layer).amount[sink] as number;
    if (buyAmount === 0) continue;
    const edges = pathTo(layers, hop, sink);
    const net = buyAmount - costPerGas * edges.reduce((gas, edge) => gas + edge.gas, 0);
    if (net <= bestNet) continue;
    best = { edges, buyAmount };
    bestNet = net;
    floor = Math.max(floor, net * worth);
  }
  return best;
}

/**
 * Spreads the labels of the layer before to layer `hop`, those that are worth being followed. A label is better than
 * another where it is worth more after the gas of its path, at `gasValue` for a unit.
 */
function extend(search: Search, layers: readonly Layer[], hop: number, bar: Bar, whole: Rounding): void {
  const { source, sink, maxHops, graph, endOf } = search;
  const { gasValue } = bar;
  const { start, live, to, gain, rest, spot, depth, deepest, gas } = graph;
  const last = layers[hop - 1] as Layer;
  const next = layers[hop] as Layer;
  const known = search.layers.most;
  /** Added to what labels are worth, so that all are above zero. */
  const lifted = gasValue * MOST_GAS;
  const lastChance = hop === maxHops - 1;
  /** What the last two pools need: looked up once labels lead to more slots than that takes. */
  let needed: Float64Array | undefined;
  let ahead = 0;
  for (const node of last.nodes) {
    if (node === sink) continue;
    const available = last.amount[node] as number;
    const value = available * (rest[node] as number);
    const used = pathTo(layers, hop - 1, node).reduce((sum, edge) => sum + edge.gas, 0);
    const spent = gasValue * used;
    const least = (bar.floor + bar.gasValue * (used + search.leastGas)) / bar.bonus;
    /** The same with the gas of one pool more, where this one does not lead to the sink. */
    const onward = least + (bar.gasValue * search.leastGas) / bar.bonus;
    const [enough, enoughOnward] = [least / value, onward / value];
    const end = endOf(node);
    search.work.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      // No curve pays more than the deepest hyperbola that it may be.
      const stretch = 1 + available / (deepest[slot] as number);
      if ((gain[slot] as number) <= enough * stretch && enough > 0) continue;
      const target = to[slot] as number;
      if ((gain[slot] as number) <= enoughOnward * stretch && enoughOnward > 0 && target !== sink) continue;
      const most = (spot[slot] as number) * available;
      const unit = rest[target] as number;
      const par = ((known[target] as number) - lifted + spent + gasValue * (gas[slot] as number)) / unit;
      if (most <= par || target === source) continue;
      const enoughThere = needed === undefined || target === sink ? 0 : (needed[target] as number);
      if (most <= enoughThere) continue;
      let out = most / stretch;
      if (out <= par || out <= enoughThere) continue;
      if (lastChance && target !== sink && !search.closes(target)) continue;
      if (!search.leadsOn(slot, node)) continue;
      const edge = graph.edgeAt(slot);
      if (!(available <= TRUSTED_DEPTHS * (depth[slot] as number))) out = edge.curve.buyAmountFor(available);
      out = whole(search, edge, available, out);
      if (out <= par || out <= enoughThere || out * unit <= (target === sink ? least : onward)) continue;
      if (!search.allows(edge)) continue;
      if (repeats(layers, hop - 1, node, edge, search.revisits)) {
        search.missed.labels.push({ node: target, amount: out, left: maxHops - hop });
        continue;
      }
      mark(next, target, out, edge);
      known[target] = (out - par) * unit + (known[target] as number);
      if (hop !== maxHops - 2 || needed !== undefined) continue;
      ahead += (live[target] as number) - (start[target] as number);
      if (ahead <= search.slotsAtEnd) continue;
      needed = neededFor(search, bar.atEnd);
      search.work.steps += search.slotsAtEnd;
    }
  }
}

/** The last hop to the sink in layer `hop` that brings most after the gas of its path. */
function close(search: Search, layers: readonly Layer[], hop: number, costPerGas: number, whole: Rounding): void {
  const { sink, graph } = search;
  const { start, to, twin } = graph;
  const last = layers[hop - 1] as Layer;
  const next = layers[hop] as Layer;
  let best = Number.NEGATIVE_INFINITY;
  search.work.steps += search.entryEnd - (start[sink] as number);
  for (let slot = start[sink] as number; slot < search.entryEnd; slot++) {
    const available = last.amount[to[slot] as number] as number;
    if (available === 0) continue;
    const edge = graph.edgeAt(twin[slot] as number);
    if (edge.spot === 0) continue;
    const path = pathTo(layers, hop - 1, edge.from);
    const spent = costPerGas * path.reduce((sum, one) => sum + one.gas, edge.gas);
    if (edge.spot * available - spent <= best) continue;
    const out = whole(search, edge, available, edge.curve.buyAmountFor(available));
    if (out === 0 || out - spent <= best || !search.allows(edge)) continue;
    if (repeats(layers, hop - 1, edge.from, edge, search.revisits)) {
      search.missed.labels.push({ node: sink, amount: out, left: 0 });
      continue;
    }
    mark(next, sink, out, edge);
    best = out - spent;
  }
}
