import { type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";

const SWEEPS = 2;

/**
 * Moves prices that were raised away from where a pool asked for them: to the middle, in the logarithm, of what the pools
 * around leave them, one after the other in the order of their first pools' ids. No pool that does not gain before gains
 * after it; but one that a trade's first touch would make gain does no more.
 */
export function centre(flat: FlatGraph, before: Float64Array): void {
  const { rest, start, live, through, to, spot, spotBack } = flat;
  const raised = through.filter((node) => rest[node] !== before[node]);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const node of raised) {
      const price = rest[node] as number;
      let low = 0;
      let high = Number.POSITIVE_INFINITY;
      const end = live[node] as number;
      for (let slot = start[node] as number; slot < end; slot++) {
        const other = rest[to[slot] as number] as number;
        const asked = (spot[slot] as number) * other;
        if (asked > low && asked <= price * LEAST_GAIN) low = asked;
        const offered = other / (spotBack[slot] as number);
        if (offered < high && offered * LEAST_GAIN >= price) high = offered;
      }
      if (low > 0 && high < Number.POSITIVE_INFINITY && low < high) rest[node] = Math.sqrt(low * high);
    }
  }
}
