import { mathOf, type Pool } from "../../pools/pool.ts";
import type { FlatGraph } from "./flat-graph.ts";

/** Part of the best rate, as a square root, down to which places are worked out at first; the next time its square. */
const FIRST_FLOOR = 0.98;
/** Numbers of each place of a bundle. */
const NUMBERS = 4;

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

/**
 * Parallel pools as one curve. Whatever keeps a product constant, a pool or a stretch of liquidity between two ticks,
 * sells a * (1 / x - 1 / from) and buys a * (from - x) until the square root x of its marginal rate has fallen from
 * `from` to `to`, and no more below. So the sum over all of them is one such stretch between two places where one begins
 * or ends, found by binary search: what it costs does not grow with the number of pools.
 */
export class Bundle {
  readonly from: number;
  readonly to: number;
  /** The best marginal rate, and the depth of the hyperbola that begins with it. */
  readonly spot: number;
  readonly depth: number;
  /** The pools that it is the sum of, by slot. */
  readonly slots: readonly number[];
  readonly #graph: FlatGraph;
  /** By place, highest first: the square root of its rate, a below it, and what is sold and bought down to it. */
  #places = new Float64Array(0);
  /** The square root of the rate down to which the places are known: they are worked out when first asked for. */
  #floor: number;

  /** `slots`: edges of one pair and direction that can be bundled and have a rate, at least one. */
  constructor(graph: FlatGraph, slots: readonly number[]) {
    const { from, to, spot } = graph;
    const best = slots.reduce((most, slot) => ((spot[slot] as number) > (spot[most] as number) ? slot : most));
    const root = Math.sqrt(spot[best] as number);
    this.from = from[best] as number;
    this.to = to[best] as number;
    this.spot = spot[best] as number;
    this.depth = (stretchesOf(graph, best, root * FIRST_FLOOR)[2] as number) / root;
    this.slots = slots;
    this.#graph = graph;
    this.#floor = root;
  }

  /** Writes the sold and bought amounts at the square root of a rate, and the slope, into `trade` as tradeAtRate. */
  tradeAt(root: number, trade: Float64Array): void {
    if (root < this.#floor) {
      const best = Math.sqrt(this.spot);
      this.#deepen(Math.min(FIRST_FLOOR * best, (root * root) / best));
    }
    const places = this.#places;
    let low = 0;
    let high = places.length / NUMBERS;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((places[NUMBERS * middle] as number) > root) low = middle + 1;
      else high = middle;
    }
    if (low === 0) {
      trade.fill(0);
      return;
    }
    const at = NUMBERS * (low - 1);
    const place = places[at] as number;
    const a = places[at + 1] as number;
    trade[0] = (places[at + 2] as number) + (a * (place - root)) / (place * root);
    trade[1] = (places[at + 3] as number) + a * (place - root);
    trade[2] = (0.5 * a) / root;
  }

  /** Works out the places down to `floor`, a square root of a rate. */
  #deepen(floor: number): void {
    const { spot } = this.#graph;
    const ends: { readonly place: number; readonly more: number }[] = [];
    for (const slot of this.slots) {
      if ((spot[slot] as number) <= floor * floor) continue;
      const stretches = stretchesOf(this.#graph, slot, floor);
      for (let i = 0; i < stretches.length; i += 3) {
        const more = stretches[i + 2] as number;
        ends.push({ place: stretches[i] as number, more });
        if ((stretches[i + 1] as number) > floor) ends.push({ place: stretches[i + 1] as number, more: -more });
      }
    }
    ends.sort((one, other) => other.place - one.place);
    const places = new Float64Array(NUMBERS * ends.length);
    let [before, a, sold, bought] = [ends[0]?.place ?? 0, 0, 0, 0];
    ends.forEach(({ place, more }, n) => {
      sold += (a * (before - place)) / (before * place);
      bought += a * (before - place);
      a += more;
      before = place;
      places.set([place, a, sold, bought], NUMBERS * n);
    });
    this.#places = places;
    this.#floor = floor;
  }
}
