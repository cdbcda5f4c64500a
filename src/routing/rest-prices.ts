import { centre } from "./centre.ts";
import { byRank, type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";
import { createStraightener } from "./straighten.ts";

/**
 * Values of tokens when nobody trades, and what every edge gains at them: worked out anew by each call of what is
 * returned. The hubs are priced along the widest chain of pools among themselves; every other token by its widest pool
 * with a token that is priced already, one layer after the other; then pools that would gain raise prices. Dead ends
 * have no say, and no price: who begins or ends a route there prices it. A function of the pools alone: graphs that came
 * about in different ways have the same prices, whatever they were before.
 */
export function createRestPrices(flat: FlatGraph, names: (node: number) => string): () => void {
  const { rest, hubs } = flat;
  const before = new Float64Array(flat.size);
  const straighten = createStraightener(flat);
  return () => {
    rest.fill(0);
    for (const first of hubs) {
      if (rest[first] !== 0) continue;
      rest[first] = 1;
      chainHubs(flat);
    }
    priceOthers(flat, names);
    before.set(rest);
    straighten(before);
    centre(flat, before);
    weigh(flat);
  };
}

/** Prices all that are neither hubs nor dead ends, layer by layer. */
function priceOthers(flat: FlatGraph, names: (node: number) => string): void {
  const { rest, live, through } = flat;
  let open = through.filter((node) => rest[node] === 0);
  while (open.length > 0) {
    const prices = Float64Array.from(open, (node) => widestPrice(flat, node, live[node] as number));
    for (let i = 0; i < open.length; i++) rest[open[i] as number] = prices[i] as number;
    const left = open.filter((node) => rest[node] === 0);
    if (left.length === open.length) {
      priceIslands(flat, [...left], names);
      break;
    }
    open = left;
  }
}

/** Prices hubs from priced ones, over the widest pool first. */
function chainHubs(flat: FlatGraph): void {
  const { hubs, links, rest, width, twin } = flat;
  const reach = hubs.map(() => ({ width: 0, price: 0 }));
  const spread = (from: number) => {
    const price = rest[hubs[from] as number] as number;
    reach.forEach((known, to) => {
      if (rest[hubs[to] as number] !== 0) return;
      for (const slot of links[from * hubs.length + to] ?? []) {
        const wide = (width[slot] as number) * price;
        if (!(wide > known.width)) continue;
        const value = priceOver(flat, twin[slot] as number, price);
        if (value > 0) Object.assign(known, { width: wide, price: value });
      }
    });
  };
  hubs.forEach((hub, i) => {
    if (rest[hub] !== 0) spread(i);
  });
  for (;;) {
    let next = -1;
    let most = 0;
    reach.forEach(({ width }, i) => {
      if (rest[hubs[i] as number] !== 0 || width <= most) return;
      next = i;
      most = width;
    });
    if (next === -1) return;
    rest[hubs[next] as number] = (reach[next] as { price: number }).price;
    spread(next);
  }
}

/** Prices nodes that nothing leads to from the others: on each island the first by name is worth 1. */
function priceIslands(flat: FlatGraph, nodes: readonly number[], names: (node: number) => string): void {
  const { rest, start, live, to } = flat;
  for (const first of [...nodes].sort((a, b) => (names(a) < names(b) ? -1 : 1))) {
    if (rest[first] !== 0) continue;
    rest[first] = 1;
    const island = [first];
    for (const node of island)
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
        const next = to[slot] as number;
        if (rest[next] !== 0) continue;
        rest[next] = widestPrice(flat, next, live[next] as number) || 1;
        island.push(next);
      }
  }
}

/** The price of a node by its widest pool with a priced one, among its slots before `end`; 0 where there is none. */
export function widestPrice(flat: FlatGraph, node: number, end: number): number {
  const { rest, start, to, width, twin } = flat;
  let most = 0;
  let price = 0;
  for (let slot = start[node] as number; slot < end; slot++) {
    const known = rest[to[slot] as number] as number;
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

/** The value of what an edge sells, between the pool's two rates, when what it buys is worth `price`. */
function priceOver({ spot, spotBack }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spotBack[slot] as number;
  if (there === 0 || back === 0) return there > 0 ? there * price : back > 0 ? price / back : 0;
  return Math.sqrt(there / back) * price;
}

/** What every edge between tokens that are no dead ends gains, and the least gas of all edges. */
function weigh(flat: FlatGraph): void {
  const { rest, start, live, through, to, spot, spotBack, gain, back } = flat;
  const restless: number[] = [];
  for (let i = 0; i < through.length; i++) {
    const node = through[i] as number;
    const price = rest[node] as number;
    const own = 1 / price;
    const end = live[node] as number;
    for (let slot = start[node] as number; slot < end; slot++) {
      const other = rest[to[slot] as number] as number;
      const value = (spot[slot] as number) * other * own;
      gain[slot] = value;
      back[slot] = (spotBack[slot] as number) * price * (1 / other);
      if (value > LEAST_GAIN) restless.push(slot);
    }
  }
  if (flat.leastGas === Number.POSITIVE_INFINITY)
    flat.leastGas = flat.gas.reduce((least, gas) => Math.min(least, gas), Number.POSITIVE_INFINITY);
  flat.restless = Int32Array.from(restless.sort(byRank(flat)));
}
