import { type FlatGraph, MIN_GAIN } from "../edges/flat-graph.ts";
import { clampPrices } from "./clamp-prices.ts";
import { widestPrices } from "./widest-prices.ts";

/**
 * Works out values of tokens when nobody trades, what every edge gains at them, and the least gas of a pool use. The widest pools
 * price every token; then prices move until no pool gains, as far as that can be. Dead ends have no say, and no price: who
 * begins or ends a route there prices it. A function of the pools alone: graphs that came about in different ways have the
 * same prices, whatever they were before. `names`: the tokens'.
 */
export function setSpotPrices(flat: FlatGraph, names: (node: number) => string): void {
  clampPrices(flat, widestPrices(flat, names));
  weigh(flat);
  if (Number.isNaN(flat.leastGas)) flat.leastGas = leastGasOf(flat);
}

/** Works out what edges between tokens that are no dead ends gain, and which of them do. */
function weigh(flat: FlatGraph): void {
  const { rest, size, start, live, to, spot, spotBack, gain, back, rank, ranked, dead } = flat;
  const found: number[] = [];
  for (let node = 0; node < size; node++) {
    if (dead[node] === 1) continue;
    const price = rest[node] as number;
    const share = 1 / price;
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const other = rest[to[slot] as number] as number;
      const there = (spot[slot] as number) * other * share;
      gain[slot] = there;
      back[slot] = ((spotBack[slot] as number) * price) / other;
      if (there > MIN_GAIN) found.push(rank[slot] as number);
    }
  }
  flat.restless = Int32Array.from(Int32Array.from(found).sort(), (place) => ranked[place] as number);
}

function leastGasOf({ through, start, live, gas }: FlatGraph): number {
  let least = Number.POSITIVE_INFINITY;
  for (const node of through)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++)
      least = Math.min(least, gas[slot] as number);
  return least;
}
