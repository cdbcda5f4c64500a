import type { FlatGraph } from "../edges/flat-graph.ts";

/**
 * Prices of the hubs, in their order: from priced ones, over the widest pool first; the first of a group is worth 1.
 * `touched`: the slots whose edges have changed since the last call; all where it is absent.
 */
export function createHubPrices(flat: FlatGraph): (touched?: readonly number[]) => readonly number[] {
  const { size, hubs, links, from, to, width, twin } = flat;
  const index = new Int32Array(size).fill(-1);
  hubs.forEach((hub, i) => {
    index[hub] = i;
  });
  /** The widest slot with a price of each link, the first of them where several are as wide; -1 where there is none. */
  const widest = new Int32Array(links.length).fill(-1);
  /** How wide that is; 0 where there is none. */
  const widths = new Float64Array(links.length);

  const look = (link: number, slot: number) => {
    const wide = width[slot] as number;
    const most = widths[link] as number;
    if (!(wide > most || (wide === most && slot < (widest[link] as number)))) return;
    if (!(priceOver(flat, twin[slot] as number, 1) > 0)) return;
    widest[link] = slot;
    widths[link] = wide;
  };
  const lookAtAll = (link: number) => {
    widest[link] = -1;
    widths[link] = 0;
    for (const slot of links[link] as readonly number[]) look(link, slot);
  };
  const follow = (slot: number) => {
    const [one, other] = [index[from[slot] as number] as number, index[to[slot] as number] as number];
    if (one === -1 || other === -1) return;
    const link = one * hubs.length + other;
    if (widest[link] === slot) lookAtAll(link);
    else look(link, slot);
  };

  const spread = (one: number, prices: number[], reach: { width: number; price: number }[]) => {
    const price = prices[one] as number;
    reach.forEach((known, other) => {
      const link = one * hubs.length + other;
      const wide = (widths[link] as number) * price;
      if (prices[other] !== 0 || !(wide > known.width)) return;
      const value = priceOver(flat, twin[widest[link] as number] as number, price);
      if (!(value > 0)) return;
      known.width = wide;
      known.price = value;
    });
  };
  return (touched) => {
    if (touched === undefined) for (let link = 0; link < links.length; link++) lookAtAll(link);
    else for (const slot of touched) follow(slot);
    const prices = hubs.map(() => 0);
    const reach = hubs.map(() => ({ width: 0, price: 0 }));
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
      prices[next] = reach[next]?.price || 1;
      spread(next, prices, reach);
    }
  };
}

/** The value of what an edge sells, between the pool's two rates, when what it buys is worth `price`. */
export function priceOver({ spot, spotBack }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spotBack[slot] as number;
  if (there === 0 || back === 0) return there > 0 ? there * price : back > 0 ? price / back : 0;
  return Math.sqrt(there / back) * price;
}
