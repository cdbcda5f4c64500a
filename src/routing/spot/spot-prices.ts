import { type FlatGraph, MIN_GAIN } from "../edges/flat-graph.ts";
import { hubPrices } from "./hub-prices.ts";
import { HIGHEST, middleOf, type PriceRanges, rangeOf, withinFloats } from "./price-ranges.ts";

/** Sweeps over the tokens that have pools with others that are no hubs. */
const SWEEPS = 2;

/**
 * Works out values of tokens when nobody trades, what every edge gains at them, and the least gas of a pool use: hubs by the pools
 * between them, then all others given these. No pool gains unless wider ones contradict it. Dead ends have no say, and no
 * price: who begins or ends a route there prices it. A function of the pools alone: graphs that came about in different ways have the
 * same prices, whatever they were before.
 */
export function setSpotPrices(flat: FlatGraph): void {
  flat.rest.fill(0);
  priceOthers(flat, hubPrices(flat));
  weigh(flat);
}

/** Prices all nodes that are no dead ends, given the prices of hubs. */
function priceOthers(flat: FlatGraph, hubPrices: Float64Array): void {
  const { size, hubs, rest, live, through } = flat;
  const ranges = { low: rest.slice(), high: new Float64Array(size).fill(Number.POSITIVE_INFINITY) };
  const isOther = new Uint8Array(size).fill(1);
  for (let i = 0; i < hubs.length; i++) {
    const price = hubPrices[i] as number;
    put(flat, ranges, hubs[i] as number, [price, price]);
    isOther[hubs[i] as number] = 0;
  }
  const narrow = (node: number): void => {
    const range = rangeOf(flat, ranges, node, live[node] as number);
    put(flat, ranges, node, range);
  };
  const others = through.filter((node) => isOther[node] === 1);
  for (let open = others; open.length > 0; ) {
    open.forEach(narrow);
    const left = open.filter((node) => rest[node] === 0);
    if (left.length === open.length) {
      for (const node of left) priceIsland(flat, ranges, node, narrow);
      break;
    }
    open = left;
  }
  const among = others.filter((node) => leadsTo(flat, node, isOther));
  for (let sweep = 0; sweep < SWEEPS; sweep++) among.forEach(narrow);
}

/** Whether a pool leads from a node to one of some others. */
function leadsTo({ start, live, to }: FlatGraph, node: number, others: Uint8Array): boolean {
  for (let slot = start[node] as number; slot < (live[node] as number); slot++)
    if (others[to[slot] as number] === 1) return true;
  return false;
}

/** Puts the range of a node, unless nothing is known of it, and its price into the middle of that. */
function put({ rest }: FlatGraph, { low, high }: PriceRanges, node: number, range: readonly [number, number]): void {
  const price = middleOf(range);
  if (price === 0) return;
  rest[node] = withinFloats(price);
  low[node] = Math.min(HIGHEST, range[0]);
  high[node] = Math.max(1 / HIGHEST, range[1]);
}

/** Prices a node that no rate connects to the priced ones, and those around it: it is worth 1. */
function priceIsland(flat: FlatGraph, ranges: PriceRanges, first: number, narrow: (node: number) => void): void {
  const { rest, start, live, to } = flat;
  if (rest[first] !== 0) return;
  put(flat, ranges, first, [1, 1]);
  const island = [first];
  for (const node of island)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const next = to[slot] as number;
      if (rest[next] !== 0) continue;
      narrow(next);
      if (rest[next] === 0) put(flat, ranges, next, [1, 1]);
      island.push(next);
    }
}

/** Works out what edges between tokens that are no dead ends gain, which of them do, and the least gas of those that pay. */
function weigh(flat: FlatGraph): void {
  const { rest, through, start, live, to, spot, spotBack, gain, back, gas } = flat;
  const found: number[] = [];
  let leastGas = Number.POSITIVE_INFINITY;
  for (const node of through) {
    const price = rest[node] as number;
    const share = 1 / price;
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const other = rest[to[slot] as number] as number;
      const there = (spot[slot] as number) * other * share;
      gain[slot] = there;
      back[slot] = ((spotBack[slot] as number) * price) / other;
      if ((spot[slot] as number) > 0 && (gas[slot] as number) < leastGas) leastGas = gas[slot] as number;
      if (there > MIN_GAIN) found.push(slot);
    }
  }
  flat.leastGas = leastGas;
  flat.restless = Int32Array.from(found);
}

/**
 * Spot prices of the sold and the bought token where these are dead ends, and what their pools gain. Returns the
 * slots that gain. All other dead ends have no price: no route leads there.
 */
export function priceEnds(flat: FlatGraph, source: number, sink: number): readonly number[] {
  return [...priceEnd(flat, source, source), ...priceEnd(flat, sink, source)];
}

function priceEnd(flat: FlatGraph, node: number, source: number): number[] {
  const { dead, rest, start, to, spot, spotBack, twin, gain, back } = flat;
  const [first, end] = [start[node] as number, start[node + 1] as number];
  if (dead[node] === 0 || first === end) return [];
  const neighbour = to[first] as number;
  // Two tokens with no pools but between themselves: one of them is worth 1.
  if (dead[neighbour] === 1) {
    if (neighbour === source) return [];
    rest[neighbour] = 1;
  }
  const other = rest[neighbour] as number;
  const price = middleOf(rangeOf(flat, { low: rest, high: rest }, node, end)) || 1;
  rest[node] = price;
  const restless: number[] = [];
  for (let slot = first; slot < end; slot++) {
    const reverse = twin[slot] as number;
    gain[slot] = ((spot[slot] as number) * other) / price;
    back[slot] = ((spotBack[slot] as number) * price) / other;
    gain[reverse] = back[slot] as number;
    back[reverse] = gain[slot] as number;
    if ((gain[slot] as number) > MIN_GAIN) restless.push(slot);
    if ((back[slot] as number) > MIN_GAIN) restless.push(reverse);
  }
  return restless;
}
