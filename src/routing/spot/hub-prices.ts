import type { FlatGraph } from "../edges/flat-graph.ts";
import { ASKED, HIGHEST, withinFloats } from "./price-ranges.ts";

/** Octaves of value that pools between hubs are sorted into: the exponents of floats. */
const OCTAVES = 2048;

/**
 * Prices of the hubs by the pools between them, in their order. What a pool asks for counts unless wider pools contradict it, over
 * whatever way: a pool that gains at these prices lies on a cycle that earns.
 */
export function hubPrices(flat: FlatGraph): Float64Array {
  const prices = widestPrices(flat);
  const count = prices.length;
  const asked = askedAmong(flat, prices);
  // No such pool gains at the least prices above these that meet all bounds, nor at the greatest below, nor half way between.
  return prices.map((price, i) => {
    let up = 1;
    let down = 1;
    for (let j = 0; j < count; j++) {
      up = Math.max(up, asked[i * count + j] as number);
      down = Math.max(down, asked[j * count + i] as number);
    }
    return withinFloats(price * Math.sqrt(Math.min(HIGHEST, up) / Math.min(HIGHEST, down)));
  });
}

/**
 * The part of another hub's price that pools ask for each hub, over whatever way, where 1 is the ratio of `prices`: row by row of
 * the hub that is sold. 0 where nothing leads from one to the other.
 */
function askedAmong(flat: FlatGraph, prices: Float64Array): Float64Array {
  const count = prices.length;
  const asked = new Float64Array(count * count);
  for (let i = 0; i < count; i++) asked[i * count + i] = 1;
  const { pairs, asks } = widestFirst(flat, prices);
  for (let n = 0; n < asks.length; n++) {
    const pair = pairs[n] as number;
    const part = asks[n] as number;
    if (!(part > (asked[pair] as number))) continue;
    const to = pair % count;
    const from = (pair - to) / count;
    if (!(part * (asked[to * count + from] as number) <= 1)) continue;
    for (let row = 0; row < asked.length; row += count) {
      const there = (asked[row + from] as number) * part;
      if (!(there > (asked[row + to] as number))) continue;
      for (let end = 0; end < count; end++) {
        const over = there * (asked[to * count + end] as number);
        if (over > (asked[row + end] as number)) asked[row + end] = over;
      }
    }
  }
  return asked;
}

/**
 * The pools between hubs, each way: their places among the links and what they ask for, as above. They come octave by octave of
 * the value of their width, the widest first.
 */
function widestFirst({ links, hubs, width, spot }: FlatGraph, prices: Float64Array) {
  const count = links.reduce((sum, { length }) => sum + length, 0);
  const octaves = new Int32Array(count);
  const next = new Int32Array(OCTAVES + 1);
  const value = new Float64Array(1);
  const bits = new Uint16Array(value.buffer);
  let n = 0;
  links.forEach((slots, pair) => {
    const price = prices[Math.floor(pair / hubs.length)] as number;
    for (const slot of slots) {
      const wide = (width[slot] as number) * price;
      value[0] = wide > 0 ? wide : 0;
      const octave = OCTAVES - 1 - ((bits[3] as number) >>> 4);
      octaves[n++] = octave;
      next[octave + 1]! += 1;
    }
  });
  for (let i = 0; i < OCTAVES; i++) next[i + 1]! += next[i] as number;
  const [pairs, asks] = [new Int32Array(count), new Float64Array(count)];
  n = 0;
  links.forEach((slots, pair) => {
    const ratio = (ASKED * (prices[pair % hubs.length] as number)) / (prices[Math.floor(pair / hubs.length)] as number);
    for (const slot of slots) {
      const octave = octaves[n++] as number;
      const at = next[octave] as number;
      next[octave] = at + 1;
      pairs[at] = pair;
      asks[at] = (spot[slot] as number) * ratio;
    }
  });
  return { pairs, asks };
}

/** Prices of the hubs by the widest pool with a priced one alone, the widest of all first; the first of a group is worth 1. */
function widestPrices(flat: FlatGraph): Float64Array {
  const { hubs, links, width } = flat;
  const prices = new Float64Array(hubs.length);
  const widths = prices.slice();
  const reached = prices.slice();
  for (let round = 0; round < hubs.length; round++) {
    let next = -1;
    for (let i = 0; i < hubs.length; i++) if (prices[i] === 0 && (widths[i] as number) > (widths[next] ?? 0)) next = i;
    if (next === -1) next = prices.indexOf(0);
    const price = withinFloats(reached[next] || 1);
    prices[next] = price;
    for (let other = 0; other < hubs.length; other++) {
      if (prices[other] !== 0) continue;
      for (const slot of links[next * hubs.length + other] as readonly number[]) {
        const wide = (width[slot] as number) * price;
        if (!(wide > (widths[other] as number))) continue;
        const value = priceOver(flat, slot, price);
        if (!(value > 0)) continue;
        widths[other] = wide;
        reached[other] = value;
      }
    }
  }
  return prices;
}

/** The value of what an edge buys, between the pool's two rates, when what it sells is worth `price`. */
function priceOver({ spot, spotBack }: FlatGraph, slot: number, price: number): number {
  const there = spot[slot] as number;
  const back = spotBack[slot] as number;
  if (there === 0 || back === 0) return back > 0 ? back * price : there > 0 ? price / there : 0;
  return Math.sqrt(back / there) * price;
}
