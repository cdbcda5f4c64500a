import type { FlatGraph } from "../edges/flat-graph.ts";
import { createHubPrices, priceOver } from "./hub-prices.ts";

/** Later than any layer: a node that has no price yet. */
const NEVER = 2 ** 30;

/**
 * Prices before any pool has raised them: hubs along the widest chain of pools among themselves, every other node by its
 * widest pool with one that is priced already, one layer after the other. Dead ends have none. What is returned keeps
 * them, and looks only at what `touched` slots and hubs with other prices concern, as long as layers stay what they are; to
 * the bit the same as worked out from nothing.
 */
export function createWidestPrices(
  flat: FlatGraph,
  names: (node: number) => string,
): (touched?: readonly number[]) => Float64Array {
  const { size, hubs, start, live, through, from, to, width, twin, dead } = flat;
  const pricesOfHubs = createHubPrices(flat);
  const prices = new Float64Array(size);
  const layer = new Int32Array(size);
  /** The slot that prices each node, and how wide its pool is. */
  const by = new Int32Array(size);
  const widest = new Float64Array(size);
  const isDirty = new Uint8Array(size);
  /** Nodes that nothing leads to from the hubs: their layer is NEVER. */
  let islands: readonly number[] = [];
  let hubPrices: readonly number[] = [];

  const wideAt = (slot: number) => (width[twin[slot] as number] as number) * (prices[to[slot] as number] as number);
  /** Looks for the widest pool of a node with one of a layer before; its price, 0 where there is none. */
  const priceOf = (node: number, own: number): number => {
    let most = 0;
    let price = 0;
    by[node] = -1;
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const other = to[slot] as number;
      if ((layer[other] as number) >= own) continue;
      const wide = wideAt(slot);
      if (!(wide > most)) continue;
      const value = priceOver(flat, slot, prices[other] as number);
      if (!(value > 0) || !Number.isFinite(value)) continue;
      most = wide;
      price = value;
      by[node] = slot;
    }
    widest[node] = most;
    return price;
  };

  const priceAll = () => {
    prices.fill(0);
    layer.fill(NEVER);
    hubs.forEach((hub, i) => {
      prices[hub] = hubPrices[i] as number;
      layer[hub] = 0;
    });
    islands = [];
    let open = through.filter((node) => layer[node] === NEVER);
    for (let own = 1; open.length > 0; own++) {
      for (const node of open) prices[node] = priceOf(node, own);
      const left = open.filter((node) => prices[node] === 0);
      for (const node of open) if (prices[node] !== 0) layer[node] = own;
      if (left.length === open.length) {
        islands = [...left];
        priceIslands(flat, prices, islands, names);
        break;
      }
      open = left;
    }
  };

  /** Prices what touched slots concern, and hubs that had other prices; false where layers may have changed. */
  const priceTouched = (touched: readonly number[], before: readonly number[]): boolean => {
    const layers: number[][] = [];
    const look = (node: number) => {
      if (isDirty[node] === 1) return;
      isDirty[node] = 1;
      const own = layer[node] as number;
      layers[own] ??= [];
      layers[own].push(node);
    };
    let isSame = true;
    let isOnIsland = false;
    hubs.forEach((hub, i) => {
      if (hubPrices[i] === before[i]) return;
      prices[hub] = hubPrices[i] as number;
      for (let slot = start[hub] as number; slot < (live[hub] as number); slot++) {
        const other = to[slot] as number;
        if (layer[other] === 1) look(other);
        else if (layer[other] !== 0) isSame = false;
      }
    });
    for (const slot of touched) {
      const node = from[slot] as number;
      const other = to[slot] as number;
      if (dead[node] === 1 || dead[other] === 1) continue;
      const ahead = (layer[node] as number) - (layer[other] as number);
      if (ahead > 1) isSame = false;
      if (layer[node] === NEVER) isOnIsland = true;
      if (ahead === 1 && (by[node] === slot || !(wideAt(slot) < (widest[node] as number)))) look(node);
    }
    for (let own = 1; own < layers.length; own++)
      for (const node of layers[own] ?? []) {
        isDirty[node] = 0;
        const price = priceOf(node, own);
        if (price === 0) isSame = false;
        if (price === prices[node]) continue;
        prices[node] = price;
        for (let slot = start[node] as number; slot < (live[node] as number); slot++)
          if (layer[to[slot] as number] === own + 1) look(to[slot] as number);
      }
    if (isOnIsland) {
      for (const node of islands) prices[node] = 0;
      priceIslands(flat, prices, islands, names);
    }
    return isSame;
  };

  return (touched) => {
    const before = hubPrices;
    hubPrices = pricesOfHubs(touched);
    if (touched === undefined || !priceTouched(touched, before)) priceAll();
    return prices;
  };
}

/** Prices nodes that nothing leads to from the others: on each island the first by name is worth 1. */
function priceIslands(
  flat: FlatGraph,
  prices: Float64Array,
  nodes: readonly number[],
  names: (node: number) => string,
): void {
  const { start, live, to } = flat;
  for (const first of [...nodes].sort((a, b) => (names(a) < names(b) ? -1 : 1))) {
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
