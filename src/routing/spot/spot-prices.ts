import { byRank, type FlatGraph, MIN_GAIN } from "../edges/flat-graph.ts";
import { clampPrices } from "./clamp-prices.ts";
import { widestPrice, widestPrices } from "./widest-prices.ts";

/**
 * Works out values of tokens when nobody trades, what every edge gains at them, and the least gas of a pool use. The widest pools
 * price every token; then prices move until no pool gains, as far as that can be. Dead ends have no say, and no price: who
 * begins or ends a route there prices it. A function of the pools alone: graphs that came about in different ways have the
 * same prices, whatever they were before.
 */
export function setSpotPrices(flat: FlatGraph): void {
  clampPrices(flat, widestPrices(flat));
  weigh(flat);
}

/** Works out what edges between tokens that are no dead ends gain, which of them do, and the least gas of them. */
function weigh(flat: FlatGraph): void {
  const { rest, through, start, live, to, spot, spotBack, gain, back, gas, rank, ranked } = flat;
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
      leastGas = Math.min(leastGas, gas[slot] as number);
      if (there > MIN_GAIN) found.push(rank[slot] as number);
    }
  }
  flat.leastGas = leastGas;
  flat.restless = Int32Array.from(Int32Array.from(found).sort(), (place) => ranked[place] as number);
}

/**
 * Spot prices of the sold and the bought token where these are dead ends, and what their pools gain. Returns the
 * slots that gain. All other dead ends have no price: no route leads there.
 */
export function priceEnds(flat: FlatGraph, source: number, sink: number): readonly number[] {
  const restless = [...priceEnd(flat, source, source), ...priceEnd(flat, sink, source)];
  return restless.sort(byRank(flat));
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
  const widest = widestPrice(flat, rest, node, end) || 1;
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  for (let slot = first; slot < end; slot++) {
    least = Math.max(least, (spot[slot] as number) * other);
    most = Math.min(most, other / (spotBack[slot] as number));
  }
  // With arbitrage between pools, the widest one has the most reliable price.
  const price = least <= most * MIN_GAIN ? Math.min(Math.max(widest, least), most) : widest;
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
