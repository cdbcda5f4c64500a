import type { FlatGraph } from "../edges/flat-graph.ts";

/** Hubs that are priced among themselves, before all others. */
const PRICED_FIRST = 16;

/**
 * Prices by the widest pools alone, by node: the first hubs along the widest chain of pools among themselves, every other node by its
 * widest pool with one that is priced already, one layer after the other. Dead ends have none: 0.
 */
export function widestPrices(flat: FlatGraph): Float64Array {
  const { size, hubs, live, through } = flat;
  const prices = new Float64Array(size);
  hubPrices(flat).forEach((price, i) => {
    prices[hubs[i] as number] = price;
  });
  for (let open = through.filter((node) => prices[node] === 0); open.length > 0; ) {
    // Only what layers before have priced counts.
    const layer = Float64Array.from(open, (node) => widestPrice(flat, prices, node, live[node] as number));
    open.forEach((node, i) => {
      prices[node] = layer[i] as number;
    });
    const left = open.filter((node) => prices[node] === 0);
    if (left.length === open.length) {
      priceIslands(flat, prices, left);
      break;
    }
    open = left;
  }
  return prices;
}

/** Prices nodes that nothing leads to from the others: on each island the first one is worth 1. */
function priceIslands(flat: FlatGraph, prices: Float64Array, nodes: Int32Array): void {
  const { start, live, to } = flat;
  for (const first of nodes) {
    if (prices[first] !== 0) continue;
    prices[first] = 1;
    const island = [first];
    for (const node of island)
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const next = to[slot] as number;
        if (prices[next] !== 0) continue;
        prices[next] = widestPrice(flat, prices, next, live[next] as number) || 1;
        island.push(next);
      }
  }
}

/** The price of a node by its widest pool with a priced one, among its slots before `end`; 0 where there is none. */
export function widestPrice(flat: FlatGraph, prices: Float64Array, node: number, end: number): number {
  const { start, to, width, twin } = flat;
  let most = 0;
  let price = 0;
  for (let slot = start[node] as number; slot < end; slot++) {
    const known = prices[to[slot] as number] as number;
    if (known === 0) continue;
    const wide = (width[twin[slot] as number] as number) * known;
    if (wide <= most) continue;
    const value = priceOver(flat, slot, known);
    if (!(value > 0) || !Number.isFinite(value)) continue;
    most = wide;
    price = value;
  }
  return price;
}

/** Prices of the first hubs, in their order: from priced ones, over the widest pool first; the first of a group is worth 1. */
function hubPrices(flat: FlatGraph): readonly number[] {
  const { hubs, links, width, twin } = flat;
  const prices = hubs.slice(0, PRICED_FIRST).map(() => 0);
  const reach = prices.map(() => ({ width: 0, price: 0 }));
  /** Takes in the widest pool with a price from a priced hub to each of the others. */
  const spread = (one: number, price: number) => {
    reach.forEach((known, other) => {
      if (prices[other] !== 0) return;
      for (const slot of links[one * hubs.length + other] as readonly number[]) {
        const wide = (width[slot] as number) * price;
        if (!(wide > known.width)) continue;
        const value = priceOver(flat, twin[slot] as number, price);
        if (value > 0) Object.assign(known, { width: wide, price: value });
      }
    });
  };
  for (;;) {
    let next = -1;
    let most = 0;
    reach.forEach((known, i) => {
      if (prices[i] !== 0 || known.width <= most) return;
      next = i;
      most = known.width;
    });
    if (next === -1) next = prices.indexOf(0);
    if (next === -1) return prices;
    const price = reach[next]?.price || 1;
    prices[next] = price;
    spread(next, price);
  }
}

/** The value of what an edge sells, between the pool's two rates, when what it buys is worth `price`. */
function priceOver({ spot, spotBack }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spotBack[slot] as number;
  if (there === 0 || back === 0) return there > 0 ? there * price : back > 0 ? price / back : 0;
  return Math.sqrt(there / back) * price;
}
