import { mathOf, type Pool } from "../../pools/pool.ts";
import type { FlatGraph } from "./flat-graph.ts";

/**
 * Parallel pools as one curve. Whatever keeps a product constant, a pool or a stretch of liquidity between two ticks,
 * sells a * (1 / x - 1 / from) and buys a * (from - x) until the square root x of its marginal rate has fallen from
 * `from` to `to`, and no more below. So the sum over all of them is one such stretch between two places where one begins
 * or ends, found by binary search: what it costs does not grow with the number of pools.
 */
export interface Bundle {
  readonly from: number;
  readonly to: number;
  /** The pools that it is the sum of, by slot. */
  readonly slots: readonly number[];
  /** The best marginal rate, and the depth of the hyperbola that begins with it. */
  readonly spot: number;
  readonly depth: number;
  /** The places, as square roots of rates, highest first; a below each, and what is sold and bought down to it. */
  places: Float64Array;
  a: Float64Array;
  sold: Float64Array;
  bought: Float64Array;
  /** The square root of the rate down to which the places are known: they are worked out when first asked for. */
  floor: number;
}

const NONE = new Float64Array(0);
/** Part of the best rate, as a square root, down to which places are worked out at first; the next time its square. */
const FIRST_FLOOR = 0.98;

/** Whether the edge in a slot can be part of a bundle: known without making it. */
export function bundles({ depth, pool, pools }: FlatGraph, slot: number): boolean {
  return (depth[slot] as number) > 0 || mathOf(pools[pool[slot] as number] as Pool).inStretches === true;
}

/** The stretches of a slot whose edge can be bundled and has a rate, as in PoolCurve: those that begin above `least`. */
function stretchesOf({ edgeAt, spot, depth }: FlatGraph, slot: number, least: number): readonly number[] {
  const deep = depth[slot] as number;
  if (!(deep > 0)) return edgeAt(slot).curve.stretches?.(least) ?? [];
  const root = Math.sqrt(spot[slot] as number);
  return [root, 0, deep * root];
}

/** `slots`: edges of one pair and direction that can be bundled and have a rate, at least one. */
export function createBundle(graph: FlatGraph, slots: readonly number[]): Bundle {
  const { from, to, spot } = graph;
  let best = slots[0] as number;
  for (const slot of slots) if ((spot[slot] as number) > (spot[best] as number)) best = slot;
  const root = Math.sqrt(spot[best] as number);
  return {
    from: from[best] as number,
    to: to[best] as number,
    slots,
    spot: spot[best] as number,
    depth: (stretchesOf(graph, best, root * FIRST_FLOOR)[2] as number) / root,
    places: NONE,
    a: NONE,
    sold: NONE,
    bought: NONE,
    floor: root,
  };
}

/** Works out the places of a bundle down to `floor`, a square root of a rate. */
function deepen(graph: FlatGraph, bundle: Bundle, floor: number): void {
  const { spot } = graph;
  const at: number[] = [];
  const change: number[] = [];
  for (const slot of bundle.slots) {
    if ((spot[slot] as number) <= floor * floor) continue;
    const stretches = stretchesOf(graph, slot, floor);
    let end = 0;
    let before = 0;
    for (let i = 0; i < stretches.length; i += 3) {
      const from = stretches[i] as number;
      const to = stretches[i + 1] as number;
      const a = stretches[i + 2] as number;
      if (end !== from && end > 0) {
        at.push(end);
        change.push(-before);
        before = 0;
      }
      at.push(from);
      change.push(a - before);
      [end, before] = [to, a];
    }
    if (end > floor) {
      at.push(end);
      change.push(-before);
    }
  }
  const order = Int32Array.from(at, (_, i) => i).sort((i, j) => (at[j] as number) - (at[i] as number));
  const count = order.length;
  const places = new Float64Array(count);
  const as = new Float64Array(count);
  const sold = new Float64Array(count);
  const bought = new Float64Array(count);
  for (let n = 0; n < count; n++) {
    const place = at[order[n] as number] as number;
    const more = change[order[n] as number] as number;
    places[n] = place;
    if (n === 0) {
      as[n] = more;
      continue;
    }
    const before = places[n - 1] as number;
    const a = as[n - 1] as number;
    as[n] = a + more;
    sold[n] = (sold[n - 1] as number) + (a * (before - place)) / (before * place);
    bought[n] = (bought[n - 1] as number) + a * (before - place);
  }
  Object.assign(bundle, { places, a: as, sold, bought, floor });
}

/** Writes a bundle's sold and bought amounts at the square root of a rate, and the slope, into `trade` as tradeAtRate. */
export function askBundle(graph: FlatGraph, bundle: Bundle, root: number, trade: Float64Array): void {
  if (root < bundle.floor) {
    const best = Math.sqrt(bundle.spot);
    deepen(graph, bundle, Math.min(FIRST_FLOOR * best, (root * root) / best));
  }
  const { places } = bundle;
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) > root) low = middle + 1;
    else high = middle;
  }
  if (low === 0) {
    trade.fill(0);
    return;
  }
  const a = bundle.a[low - 1] as number;
  const place = places[low - 1] as number;
  trade[0] = (bundle.sold[low - 1] as number) + (a * (place - root)) / (place * root);
  trade[1] = (bundle.bought[low - 1] as number) + a * (place - root);
  trade[2] = (0.5 * a) / root;
}
