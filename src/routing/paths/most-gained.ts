import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Search } from "../session/search.ts";

/**
 * The most that one pool makes of a value of at least `value`, as a part of it: pools out of line, unless too small. What
 * pools make of more is no more, so that those that do not come up to that at the margin are not asked for less either.
 */
export function mostGained(search: Search, value: number): number {
  const { graph, restless, gained } = search;
  const { gain, rest, from, to, spot, depth } = graph;
  const isKnown = value <= gained.value;
  const slots = isKnown ? gained.above : restless;
  let most = isKnown ? gained.most : 1;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    if ((gain[slot] as number) <= most) continue;
    search.work.steps++;
    const amount = value / (rest[from[slot] as number] as number);
    const depths = amount / (depth[slot] as number);
    const pays =
      depths <= TRUSTED_DEPTHS
        ? ((spot[slot] as number) * amount) / (1 + depths)
        : graph.edgeAt(slot).curve.buyAmountFor(amount);
    const made = pays * (rest[to[slot] as number] as number);
    most = Math.max(most, value > 0 ? made / value : (gain[slot] as number));
  }
  if (!isKnown) Object.assign(gained, { value, most, above: restless.filter((slot) => (gain[slot] as number) > most) });
  return most;
}

/** Relative decrease of a value per try, and its lower limit. */
const STEP = 1 / 8;
const LEAST = 1e-12;

/**
 * The most that so many pools, one after the other, make of a value that is to become `value`, as a part of it. Pools make
 * relatively more of less, but not more of less in all: where a value v with gains g becomes no more than v * g <= `value`,
 * no smaller one becomes more, and a larger one gains no more than g.
 */
export function mostGainedBy(search: Search, pools: number, value: number): number {
  for (let from = value / 2; from > LEAST * value; from *= STEP) {
    const gained = mostGained(search, from) ** pools;
    if (from * gained <= value) return gained;
  }
  return mostGained(search, 0) ** pools;
}
