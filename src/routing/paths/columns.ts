import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import { MovedEdges, poolOrPair, poolUsesOf } from "../flow/pool-uses.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Support } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import { type Column, columnOf } from "./column.ts";
import { type ColumnLabel, ColumnLabels } from "./column-labels.ts";
import { repeats, slotsTo } from "./label.ts";
import { mostGained } from "./most-gained.ts";

/** Relative gain at which a column counts. */
const MIN_GAIN = 1e-9;

/**
 * All ways off the flow and back onto it that beat the flow's own prices for a parcel worth `value` (bought units):
 * labels spread from all tokens of the flow over pools that it does not use. A node keeps more than one: the largest
 * amount may begin where it can only go on to tokens that lie behind its own. `perUse`: what a column has to earn for
 * each of its pools, as a part of the parcel. `against`: those alone that would close a cycle with the flow. Most profitable first.
 */
export function findColumns(search: Search, solved: Split, value: number, perUse = 0, against = false): Column[] {
  const { support, logPrices } = solved;
  const { order } = support;
  const { graph, workspace } = search;
  const { place } = workspace;
  const prices = Float64Array.from(order, (node) => Math.exp(logPrices.get(node) as number));
  /** Highest value of a unit of spot value among the tokens of the flow, in bought units. */
  let highest = 0;
  order.forEach((node, at) => {
    highest = Math.max(highest, (prices[at] as number) / (graph.rest[node] as number));
  });
  const columns: Column[] = [];
  order.forEach((node, at) => {
    place[node] = at;
  });
  spread(search, groundOf(search, solved, { prices, value, highest, perUse, against }), order, columns);
  for (const node of order) place[node] = -1;
  return columns.sort((a, b) => b.gain - a.gain);
}

/** A flow as labels see it that leave it and come back: lists are by place in it. `highest`: see findColumns. */
function groundOf(
  search: Search,
  { support, sells, stuck }: Split,
  parcel: {
    readonly prices: Float64Array;
    readonly value: number;
    readonly highest: number;
    readonly perUse: number;
    readonly against: boolean;
  },
) {
  const { prices, value, highest, against } = parcel;
  const uses = search.revisits ? poolUsesOf(support, sells) : [];
  return {
    ...parcel,
    /** Pool uses of the flow, and the pools among them. */
    used: new Set(support.edges.map((edge) => poolOrPair(search, edge))),
    usedPools: new Set(support.edges.map(({ poolNumber }) => poolNumber)),
    left: uses.length > 0 ? new MovedEdges(search, uses) : undefined,
    /** Parcel of each token, in its base units. */
    parcels: prices.map((price) => value / price),
    /** Amount of each token that the flow has. */
    there: support.leaving.map((list) => list.reduce((sum, i) => sum + (sells[i] as number), 0)),
    room: roomOf(search, support, against),
    /** Least value of the parcel at spot prices, and the most that a pool makes of it, as a part of it. */
    least: value / highest,
    bonus: mostGained(search, (value * 0.5) / highest),
    isStuck: stuck > 0,
  };
}

/** Spreads labels from all tokens of a flow, whose places stand in the workspace, and adds the columns that they find. */
function spread(
  search: Search,
  ground: ReturnType<typeof groundOf>,
  order: readonly number[],
  columns: Column[],
): void {
  const { source, sink, maxHops, graph, endOf, whole, revisits } = search;
  const { start, live, to, gain, rest, spot, depth, deepest, pool } = graph;
  const { place } = search.workspace;
  const { left, parcels, prices, room, bonus, perUse } = ground;
  const { hops, longest, covers } = room;
  const count = order.length;
  const edgeAt = (slot: number) => left?.at(slot) ?? graph.edgeAt(slot);
  const earning = (hop: number) => 1 + Math.max(MIN_GAIN, hop * perUse);
  const wanted = order.flatMap((node, at) =>
    node === source || node === sink ? [] : [[node, (parcels[at] as number) * earning(2)] as const],
  );
  /** Least amount of a label that two more pools may follow; back at the flow it is no less than the parcel. */
  const needed =
    left === undefined
      ? neededAhead(search, (parcels[place[sink] as number] as number) * earning(2), wanted)
      : undefined;
  for (let at = 0; needed !== undefined && at < count; at++) needed[order[at] as number] = parcels[at] as number;
  const labels = new ColumnLabels({ covers, count }, search.workspace.numbers);
  for (let at = 0; at < count; at++)
    if (order[at] !== sink) labels.begin(order[at] as number, parcels[at] as number, at);
  for (let hop = 1, next = 0; hop <= maxHops && !search.over(); hop++) {
    /** Least spot value of a parcel that can still earn on its way back. */
    const worth = (ground.least * (1 + hop * perUse)) / bonus ** (maxHops - hop);
    const earns = earning(hop);
    const end = labels.all.length;
    for (; next < end; next++) {
      const label = labels.all[next] as ColumnLabel;
      const { node, origin, amount: available } = label;
      if (available === 0) continue;
      const row = origin * count;
      const enough = worth / (available * (rest[node] as number));
      /** The most pools that may come after the next one. */
      const onward = (longest[origin] as number) - hop;
      if (needed !== undefined && hop > 1 && onward <= 1 && available <= (needed[node] as number)) continue;
      /** Least amount to arrive, if it is known for every token that the next pool may lead to. */
      const told = onward <= 2 ? needed : undefined;
      const last = endOf(node);
      search.work.steps += last - (start[node] as number);
      for (let slot = start[node] as number; slot < last; slot++) {
        const moved = left?.at(slot);
        const target = to[slot] as number;
        const most = (moved === undefined ? (spot[slot] as number) : moved.spot) * available;
        // Most slots lead nowhere that is worth it: told before anything else is looked at.
        if (told !== undefined && most <= (told[target] as number)) continue;
        if (moved === undefined && (gain[slot] as number) <= enough) continue;
        const at = place[target] as number;
        if (at === -1 ? onward <= 0 : (hops[row + at] as number) < hop) continue;
        if (at === -1 && onward === 1 && !search.closes(target)) continue;
        /** Least amount to arrive there. */
        const least = at === -1 ? (told?.[target] ?? 0) : (parcels[at] as number) * earns;
        if (most <= least) continue;
        // No curve pays more than the deepest hyperbola that it may be.
        const atMost = moved === undefined ? most / (1 + available / (deepest[slot] as number)) : most;
        if (atMost <= least || (moved === undefined && atMost * (rest[target] as number) <= worth)) continue;
        if (at === -1 && labels.isCovered(target, origin, atMost)) continue;
        if (slot >= (live[node] as number) && target !== sink) continue;
        const isHyperbola = moved === undefined && available <= TRUSTED_DEPTHS * (depth[slot] as number);
        const paid = isHyperbola ? atMost : (moved ?? graph.edgeAt(slot)).curve.buyAmountFor(available);
        const amount = whole && at === -1 ? Math.floor(paid) : paid;
        if (amount <= least) continue;
        if (amount !== atMost && at === -1 && labels.isCovered(target, origin, amount)) continue;
        if (!search.allowsSlot(slot) || (hop > 1 && repeats(label, slot, target, graph, revisits))) continue;
        // An edge of the flow itself is no new path, and would hide others over the tokens that it connects.
        if (ground.usedPools.has(pool[slot] as number) && ground.used.has(poolOrPair(search, edgeAt(slot)))) continue;
        if (at === -1) labels.add(label, slot, target, amount);
        else {
          const path = [...slotsTo(label), slot].map(edgeAt);
          const [sellPrice, buyPrice] = [prices[origin] as number, prices[at] as number];
          const column = columnOf(search, path, sellPrice, buyPrice, ground.there[origin] as number, ground.isStuck);
          columns.push(
            left === undefined ? column : { ...column, edges: column.edges.map((edge) => left.original(edge)) },
          );
        }
      }
    }
  }
  labels.clear();
}

/**
 * Least amounts by node for `enough` to arrive at the sink over at most two more pools, or over one what `others` need there: no
 * path does with less. Valid until the next call.
 */
export function neededAhead(
  search: Search,
  enough: number,
  others: Iterable<readonly [node: number, amount: number]>,
): Float64Array {
  const { graph, source, sink, entryEnd, work } = search;
  const { start, live, to, twin, spotBack, deepest } = graph;
  const { needed } = search.workspace;
  needed.fill(Number.POSITIVE_INFINITY, 0, graph.size);
  /** Takes in what is needed before the pool whose slot leads back to it. */
  const hear = (slot: number, amount: number) => {
    const node = to[slot] as number;
    const rate = spotBack[slot] as number;
    // Most tell of nothing new.
    if (!(amount < (needed[node] as number) * rate)) return;
    // Not even the deepest hyperbola that the curve may be pays more than its depth at the first rate.
    const left = rate - amount / (deepest[twin[slot] as number] as number);
    if (left > 0) needed[node] = Math.min(needed[node] as number, amount / left);
  };
  work.steps += entryEnd - (start[sink] as number);
  for (let slot = start[sink] as number; slot < entryEnd; slot++) hear(slot, enough);
  const ends = new Map<number, number>();
  for (let slot = start[sink] as number; slot < entryEnd; slot++) {
    const node = to[slot] as number;
    if (node !== source && (needed[node] as number) < Number.POSITIVE_INFINITY) ends.set(node, needed[node] as number);
  }
  // Paths end where they come back to the flow.
  for (const [node, amount] of new Map([...ends, ...others])) {
    work.steps += (live[node] as number) - (start[node] as number);
    for (let slot = start[node] as number; slot < (live[node] as number); slot++)
      if (to[slot] !== sink) hear(slot, amount);
  }
  return needed;
}

/**
 * Longest new edge that a flow has room for: no path gets too long, and cycles are excluded, or alone allowed. `hops`: the most
 * from one place in the flow to another, row by row; negative where they may not lead there. `longest`: the most that can begin at
 * a place. `covers`: row by row, for each place 1 for itself and others from which new edges may lead wherever they may from there.
 */
function roomOf(search: Search, { order, depth, height, to, leaving }: Support, against: boolean) {
  const { maxHops } = search;
  const count = order.length;
  /** Row by row, for each node the nodes that an edge from there would close a cycle by: itself and those before it. */
  const behind = new Uint8Array(count * count);
  /** Fewest pools from the sold token: a path over pools that the flow does not use is as good as the flow's. */
  const before = new Int32Array(count);
  /** Longest distance to the bought token. */
  const after = new Float64Array(count);
  order.forEach((node, i) => {
    const hops = depth[i] as number;
    before[i] = hops > 1 ? Math.min(hops, search.hopsFromSource(node)) : hops;
    after[i] = Math.min(height[i] as number, search.hopsToSink(node));
    behind[i * count + i] = 1;
    behind[i * count] = 1;
    for (const edge of leaving[i] as readonly number[]) {
      const row = (to[edge] as number) * count;
      for (let j = 0; j <= i; j++) behind[row + j]! |= behind[i * count + j] as number;
    }
  });
  const longest = Int8Array.from(before, (hops) => maxHops - hops);
  const hops = new Int8Array(count * count).fill(-1);
  const covers = new Uint8Array(count * count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const isBehind = behind[i * count + j] === 1;
      const leads = against ? isBehind && i !== j && j > 0 : !isBehind;
      // Nothing leads back to the sold token.
      if (leads) hops[i * count + j] = Math.max(-1, (longest[i] as number) - (after[j] as number));
      const covered = against ? i === j || behind[j * count + i] === 1 : isBehind;
      if (covered && (longest[j] as number) >= (longest[i] as number)) covers[i * count + j] = 1;
    }
  return { hops, longest, covers };
}
