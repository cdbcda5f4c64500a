import type { Edge } from "./edges.ts";
import type { FlatGraph } from "./flat-graph.ts";

/** Part of the widest pool of a token that another one must have to have a say in its price. */
const SOLID = 0.01;
/** How often a price is raised before it is taken not to come to rest. */
const MOST_VISITS = 16;
/** Gain above which a pool counts as standing off the prices: less is rounding of floats. */
const LEAST_GAIN = 1 + 1e-9;

/**
 * Values of all tokens when nobody trades, and what every edge gains at them. The hubs are priced along the widest
 * chain of pools among themselves; every other token by its widest pool with a token that is priced already, one layer
 * after the other. A function of the pools alone: graphs that came about in different ways have the same prices.
 */
export function priceAtRest(flat: FlatGraph, names: (node: number) => string): void {
  const { size, rest, start } = flat;
  rest.fill(0);
  const hubs = [...flat.hubs];
  for (const first of hubs) {
    if (rest[first] !== 0) continue;
    rest[first] = 1;
    chainHubs(flat, hubs);
  }
  let open: number[] = [];
  for (let node = 0; node < size; node++)
    if (rest[node] === 0 && (start[node + 1] as number) > (start[node] as number)) open.push(node);
  while (open.length > 0) {
    const prices = open.map((node) => widestPrice(flat, node));
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
  weigh(flat);
  if (flat.restless.length === 0) return;
  if (straighten(flat, 0) || straighten(flat, SOLID)) weigh(flat);
}

/**
 * Raises prices until no pool gains, but for those smaller than a part `solid` of the widest pools of their tokens.
 * Where pools can all be in line this finds such prices, and soon; otherwise it leaves the prices as they were and
 * returns false.
 */
function straighten(flat: FlatGraph, solid: number): boolean {
  const { size, rest, start, to, spot, width, twin, edges, rank, restless } = flat;
  const before = rest.slice();
  const widest = new Float64Array(size);
  if (solid > 0)
    for (let node = 0; node < size; node++) {
      let most = 0;
      for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++)
        most = Math.max(most, width[slot] as number);
      widest[node] = most * (rest[node] as number);
    }
  /** What an edge between these nodes asks of the price of `from`; 0 when it has no say. */
  const asked = (slot: number, from: number, target: number): number => {
    const value = (spot[slot] as number) * (rest[target] as number);
    if (value <= (rest[from] as number) * LEAST_GAIN) return 0;
    if (solid === 0) return value;
    const wide = (width[slot] as number) * (before[from] as number);
    return wide >= solid * Math.min(widest[from] as number, widest[target] as number) ? value : 0;
  };
  const visits = new Uint8Array(size);
  const queued = new Uint8Array(size);
  const waiting: number[] = [];
  const enqueue = (node: number) => {
    if (queued[node] === 1) return;
    queued[node] = 1;
    waiting.push(node);
  };
  for (const slot of [...restless].sort((a, b) => (rank[a] as number) - (rank[b] as number)))
    enqueue((edges[slot] as Edge).from);
  for (let at = 0; at < waiting.length; at++) {
    const node = waiting[at] as number;
    queued[node] = 0;
    let price = rest[node] as number;
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++)
      price = Math.max(price, asked(slot, node, to[slot] as number));
    if (price === rest[node]) continue;
    if (visits[node] === MOST_VISITS) {
      rest.set(before);
      return false;
    }
    visits[node]! += 1;
    rest[node] = price;
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
      const other = to[slot] as number;
      if (asked(twin[slot] as number, other, node) > 0) enqueue(other);
    }
  }
  return true;
}

/** Prices hubs from priced ones, over the widest pool first. */
function chainHubs(flat: FlatGraph, hubs: readonly number[]): void {
  const { rest, start, to, width, twin } = flat;
  const isHub = new Set(hubs);
  const reach = new Map<number, { width: number; price: number }>();
  const spread = (node: number) => {
    const price = rest[node] as number;
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
      const target = to[slot] as number;
      if (!isHub.has(target) || rest[target] !== 0) continue;
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
  const { rest, start, to } = flat;
  for (const first of [...nodes].sort((a, b) => (names(a) < names(b) ? -1 : 1))) {
    if (rest[first] !== 0) continue;
    rest[first] = 1;
    const island = [first];
    for (const node of island)
      for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
        const next = to[slot] as number;
        if (rest[next] !== 0) continue;
        rest[next] = widestPrice(flat, next) || 1;
        island.push(next);
      }
  }
}

/** The price of a node by its widest pool with a priced one; 0 where there is none. */
function widestPrice(flat: FlatGraph, node: number): number {
  const { rest, start, to, width, twin } = flat;
  let most = 0;
  let price = 0;
  for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
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

function weigh(flat: FlatGraph): void {
  const { size, rest, start, to, spot, twin, gain, back } = flat;
  const restless: number[] = [];
  for (let node = 0; node < size; node++) {
    const own = 1 / (rest[node] as number);
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
      const value = (spot[slot] as number) * (rest[to[slot] as number] as number) * own;
      gain[slot] = value;
      back[twin[slot] as number] = value;
      if (value > LEAST_GAIN) restless.push(slot);
    }
  }
  flat.restless = Int32Array.from(restless);
}
