import type { FlatGraph } from "../edges/flat-graph.ts";

/** Prices of the hubs, in their order: from priced ones, over the widest pool first; the first of a group is worth 1. */
export function hubPrices(flat: FlatGraph): readonly number[] {
  const { hubs, links, width, twin } = flat;
  const prices = hubs.map(() => 0);
  const reach = hubs.map(() => ({ width: 0, price: 0 }));
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
export function priceOver({ spot, spotBack }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spotBack[slot] as number;
  if (there === 0 || back === 0) return there > 0 ? there * price : back > 0 ? price / back : 0;
  return Math.sqrt(there / back) * price;
}
