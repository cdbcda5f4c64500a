import type { Edge } from "./edges.ts";
import { byRank, type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";

/** Gain at which a pool stands too far off to have a say. */
const FAR_OFF = 1.01;
/** How often prices are raised from the start, each time without the pools that were found to be out of line before. */
const MOST_RUNS = 4;
/** Looks at a token, on average, after which a run has lasted long enough. */
const MOST_LOOKS = 16;

/**
 * Raises prices until no pool gains, but for pools out of line: those that gain too much at first, and of every cycle
 * that earns the narrowest one. Leaves prices as they were where that does not come to an end.
 */
export function straighten(flat: FlatGraph): void {
  const muted = new Uint8Array(flat.edges.length);
  const first = gaining(flat, muted);
  if (first.length === 0) return;
  const before = flat.rest.slice();
  for (let run = 0; run < MOST_RUNS; run++) {
    flat.rest.set(before);
    if (raise(flat, first, muted)) return;
  }
  flat.rest.set(before);
}

/** The tokens at which a pool gains, in the order of these pools' ids; mutes those that gain far too much. */
function gaining(flat: FlatGraph, muted: Uint8Array): number[] {
  const { size, rest, start, live, dead, to, spot, twin, edges } = flat;
  const slots: number[] = [];
  for (let node = 0; node < size; node++) {
    if (dead[node] === 1) continue;
    const own = rest[node] as number;
    for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
      const value = (spot[slot] as number) * (rest[to[slot] as number] as number);
      if (value <= own * LEAST_GAIN) continue;
      if (value <= own * FAR_OFF) slots.push(slot);
      else {
        muted[slot] = 1;
        muted[twin[slot] as number] = 1;
      }
    }
  }
  return [...new Set(slots.sort(byRank(flat)).map((slot) => (edges[slot] as Edge).from))];
}

/**
 * Raises prices from these tokens on. A raise that would close a cycle mutes the cycle's narrowest pool instead. Whether
 * prices came to rest, and none of them from a pool that was muted on the way.
 */
function raise(flat: FlatGraph, first: readonly number[], muted: Uint8Array): boolean {
  const { size, rest, start, live, to, spot, twin, edges } = flat;
  /** The slot that set the price of each node; -1 for none. */
  const by = new Int32Array(size).fill(-1);
  const queued = new Uint8Array(size);
  const waiting = [...first];
  for (const node of waiting) queued[node] = 1;
  let clean = true;
  for (let at = 0; at < waiting.length; at++) {
    if (at > MOST_LOOKS * size) return false;
    const node = waiting[at] as number;
    queued[node] = 0;
    let slot = asking(flat, node, muted);
    while (slot !== -1) {
      const narrowest = narrowestOfCycle(flat, by, node, slot);
      if (narrowest === -1) break;
      muted[narrowest] = 1;
      muted[twin[narrowest] as number] = 1;
      by[(edges[narrowest] as Edge).from] = -1;
      clean = false;
      slot = asking(flat, node, muted);
    }
    if (slot === -1) continue;
    by[node] = slot;
    const price = (spot[slot] as number) * (rest[to[slot] as number] as number);
    rest[node] = price;
    for (let next = start[node] as number; next < (live[node] as number); next++) {
      const other = to[next] as number;
      if (queued[other] === 1) continue;
      const reverse = twin[next] as number;
      if ((spot[reverse] as number) * price <= (rest[other] as number) * LEAST_GAIN || muted[reverse] === 1) continue;
      queued[other] = 1;
      waiting.push(other);
    }
  }
  return clean;
}

/** The slot of a node that asks most of its price; -1 when none asks more than it is. */
function asking({ rest, start, live, to, spot }: FlatGraph, node: number, muted: Uint8Array): number {
  let most = (rest[node] as number) * LEAST_GAIN;
  let best = -1;
  for (let slot = start[node] as number; slot < (live[node] as number); slot++) {
    const value = (spot[slot] as number) * (rest[to[slot] as number] as number);
    if (value <= most || muted[slot] === 1) continue;
    most = value;
    best = slot;
  }
  return best;
}

/** The narrowest slot of the cycle that `slot` of `node` would close; -1 when it closes none. */
function narrowestOfCycle({ rest, to, width }: FlatGraph, by: Int32Array, node: number, slot: number): number {
  let narrowest = slot;
  let least = (width[slot] as number) * (rest[node] as number);
  for (let here = to[slot] as number; here !== node; here = to[by[here] as number] as number) {
    const next = by[here] as number;
    if (next === -1) return -1;
    const wide = (width[next] as number) * (rest[here] as number);
    if (wide >= least) continue;
    least = wide;
    narrowest = next;
  }
  return narrowest;
}
