import { centre } from "./centre.ts";
import { byRank, type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";
import { type Raises, straighten } from "./straighten.ts";

/**
 * Values of tokens when nobody trades, and what every edge gains at them. The hubs are priced along the widest chain of
 * pools among themselves; every other token by its widest pool with a token that is priced already, one layer after the
 * other; then pools that would gain raise prices. Dead ends have no say, and no price: who begins or ends a route there
 * prices it. A function of the pools alone: graphs that came about in different ways have the same prices, whatever
 * `raises` the last block left.
 */
export function priceAtRest(flat: FlatGraph, names: (node: number) => string, raises: Raises): void {
  const { rest, hubs } = flat;
  rest.fill(0);
  for (const first of hubs) {
    if (rest[first] !== 0) continue;
    rest[first] = 1;
    chainHubs(flat);
  }
  priceOthers(flat, names);
  const before = rest.slice();
  straighten(flat, raises);
  centre(flat, before);
  weigh(flat);
}

/** Prices all that are neither hubs nor dead ends, layer by layer. */
function priceOthers(flat: FlatGraph, names: (node: number) => string): void {
  const { size, rest, start, live, dead } = flat;
  let open: number[] = [];
  for (let node = 0; node < size; node++)
    if (rest[node] === 0 && dead[node] === 0 && (live[node] as number) > (start[node] as number)) open.push(node);
  while (open.length > 0) {
    const prices = open.map((node) => widestPrice(flat, node, live[node] as number));
    const left: number[] = [];
    open.forEach((node, i) => {
      if (prices[i] === 0) left.push(node);
      else rest[node] = prices[i] as number;
    });
    if (left.length === open.length) {
      priceIslands(flat, left, names);
      break;
    }
    open = left;
  }
}

/** Prices hubs from priced ones, over the widest pool first. */
function chainHubs(flat: FlatGraph): void {
  const { hubs, links, rest, to, width, twin } = flat;
  const reach = new Map<number, { width: number; price: number }>();
  const spread = (node: number) => {
    const price = rest[node] as number;
    for (const slot of links.get(node) ?? []) {
      const target = to[slot] as number;
      if (rest[target] !== 0) continue;
      const value = priceOver(flat, twin[slot] as number, price);
      const wide = (width[slot] as number) * price;
      if (value > 0 && wide > (reach.get(target)?.width ?? 0)) reach.set(target, { width: wide, price: value });
    }
  };
  for (const hub of hubs) if (rest[hub] !== 0) spread(hub);
  for (;;) {
    let next = -1;
    let most = 0;
    for (const hub of hubs) {
      const found = reach.get(hub);
      if (rest[hub] === 0 && found !== undefined && found.width > most) {
        next = hub;
        most = found.width;
      }
    }
    if (next === -1) return;
    rest[next] = (reach.get(next) as { price: number }).price;
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
function priceOver({ spot, twin }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spot[twin[slot] as number] as number;
  if (there === 0 || back === 0) return there > 0 ? there * price : back > 0 ? price / back : 0;
  return Math.sqrt(there / back) * price;
}

/** What every edge between tokens that are no dead ends gains. */
function weigh(flat: FlatGraph): void {
  const { size, rest, start, live, dead, to, spot, twin, gain, back } = flat;
  const restless: number[] = [];
  for (let node = 0; node < size; node++) {
    if (dead[node] === 1) continue;
    const own = 1 / (rest[node] as number);
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const value = (spot[slot] as number) * (rest[to[slot] as number] as number) * own;
      gain[slot] = value;
      back[twin[slot] as number] = value;
      if (value > LEAST_GAIN) restless.push(slot);
    }
  }
  flat.restless = Int32Array.from(restless.sort(byRank(flat)));
}
