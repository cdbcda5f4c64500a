import { type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";

const SWEEPS = 2;

/**
 * Moves prices that are not those before pools had their say: to the middle, in the logarithm, of what the pools around
 * leave them, one after the other in the order of their first pools' ids. No pool that does not gain before gains
 * after it; but one that a trade's first touch would make gain does no more. `touched`: the slots whose edges have
 * changed since the last call; all where it is absent. What they and prices leave as it was is not worked out again.
 */
export function createCentre(flat: FlatGraph): (before: Float64Array, touched?: readonly number[]) => void {
  const { size, rest, through } = flat;
  const isMoved = new Uint8Array(size);
  const places = new Int32Array(size);
  through.forEach((node, i) => {
    places[node] = i;
  });
  const sweeps = Array.from({ length: SWEEPS }, () => createSweep(flat, isMoved, places));
  return (before, touched) => {
    const turned = through.filter((node) => (rest[node] !== before[node]) !== (isMoved[node] === 1));
    for (const node of turned) isMoved[node] = 1 - (isMoved[node] as number);
    for (const sweep of sweeps) sweep(turned, touched);
  };
}

/** One sweep over all nodes, in their order (`places`); `turned`: those that were moved the last time or are now, not both. */
function createSweep(
  flat: FlatGraph,
  isMoved: Uint8Array,
  places: Int32Array,
): (turned: Int32Array, touched?: readonly number[]) => void {
  const { size, rest, start, live, through, from, to, twin, spot, spotBack, dead } = flat;
  /** Prices before the sweep and after it, what pools leave them, and the slots of those pools. */
  const input = new Float64Array(size);
  const output = new Float64Array(size);
  const lows = new Float64Array(size);
  const highs = new Float64Array(size);
  const lowest = new Int32Array(size);
  const highest = new Int32Array(size);
  const isDirty = new Uint8Array(size);

  /** Marks a node that is not in the middle any more, now that what a slot leads to is worth `other`. */
  const doubt = (node: number, slot: number, other: number) => {
    if (isDirty[node] === 1) return;
    const price = input[node] as number;
    const asked = (spot[slot] as number) * other;
    const offered = other / (spotBack[slot] as number);
    if (
      slot === lowest[node] ||
      slot === highest[node] ||
      (asked > (lows[node] as number) && asked <= price * LEAST_GAIN) ||
      (offered < (highs[node] as number) && offered * LEAST_GAIN >= price)
    )
      isDirty[node] = 1;
  };

  const middleOf = (node: number): number => {
    const price = rest[node] as number;
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    lowest[node] = -1;
    highest[node] = -1;
    const end = live[node] as number;
    for (let slot = start[node] as number; slot < end; slot++) {
      const other = rest[to[slot] as number] as number;
      const asked = (spot[slot] as number) * other;
      if (asked > low && asked <= price * LEAST_GAIN) {
        low = asked;
        lowest[node] = slot;
      }
      const offered = other / (spotBack[slot] as number);
      if (offered < high && offered * LEAST_GAIN >= price) {
        high = offered;
        highest[node] = slot;
      }
    }
    lows[node] = low;
    highs[node] = high;
    return low > 0 && high < Number.POSITIVE_INFINITY && low < high ? Math.sqrt(low * high) : price;
  };

  return (turned, touched) => {
    if (touched === undefined) isDirty.fill(1);
    for (const node of turned) isDirty[node] = 1;
    const moved = through.filter((node) => rest[node] !== input[node]);
    for (const node of moved) {
      input[node] = rest[node] as number;
      isDirty[node] = 1;
    }
    /** Whether a node comes before another: then that one meets its price after the sweep. */
    const precedes = (node: number, other: number) => (places[node] as number) < (places[other] as number);
    for (const node of moved)
      for (let slot = start[node] as number; slot < (live[node] as number); slot++)
        if (precedes(to[slot] as number, node)) doubt(to[slot] as number, twin[slot] as number, rest[node] as number);
    for (const slot of touched ?? []) {
      const node = from[slot] as number;
      const other = to[slot] as number;
      if (dead[node] === 1 || dead[other] === 1) continue;
      doubt(node, slot, (precedes(other, node) ? output : rest)[other] as number);
    }
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      const known = output[node] as number;
      let price = known;
      if (isDirty[node] === 1) price = isMoved[node] === 1 ? middleOf(node) : (rest[node] as number);
      isDirty[node] = 0;
      rest[node] = price;
      if (price === known) continue;
      output[node] = price;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++)
        if (precedes(node, to[slot] as number)) doubt(to[slot] as number, twin[slot] as number, price);
    }
  };
}
