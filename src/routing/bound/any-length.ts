import type { Search } from "../session/search.ts";

const MAX_ROUNDS = 16;

/**
 * Most that one unit in a slot is worth, in bought units, given the worth of the token that the slot pays.
 * Grows at most in proportion to that worth, unless `isFinal` is asked for.
 */
export type Worth = (slot: number, paid: number) => number;

/**
 * The best rates over paths of any number of pools. Of each token the best is known, and the best that leads on to another
 * token than that, so that no path goes to a token and straight back. Round by round paths become one pool longer. Once no
 * token makes more than q times what it made in the round before, whichever token it may not lead to, none ever will: the
 * next round's rates are slopes times these. `isFinal`: only where no token makes more at all. `isTooMuch`: whether what the
 * sold token makes over paths of at most so many pools is more than is of use. `mostSteps`: slots that may be looked at. Undefined
 * where it is too much, or does not come to an end. `rates`: by node the most that a unit makes over paths of at most `pools`; `growth`: the factor by which each
 * further pool can raise that, 1 if none raises it.
 */
export function ratesOfAnyLength(
  search: Search,
  worth: Worth,
  {
    isFinal,
    isTooMuch,
    mostSteps,
  }: {
    readonly isFinal: boolean;
    readonly isTooMuch: (rate: number, pools: number) => boolean;
    readonly mostSteps: number;
  },
): { readonly rates: Float64Array; readonly pools: number; readonly growth: number } | undefined {
  const { graph, source, sink } = search;
  const { start, to, twin, size, dead } = graph;
  let [best, second, next] = [new Float64Array(size), new Float64Array(size), new Int32Array(size).fill(-1)];
  best[sink] = 1;
  second[sink] = 1;
  let fresh: readonly number[] = [sink];
  const last = search.work.steps + mostSteps;
  for (let pools = 1; pools <= MAX_ROUNDS; pools++) {
    const before = { best, second, next };
    [best, second, next] = [best.slice(), second.slice(), next.slice()];
    const changed = new Set<number>();
    for (const node of fresh) {
      if (node === source) continue;
      const end = start[node + 1] as number;
      search.work.steps += end - (start[node] as number);
      if (search.work.steps > last || search.over()) return undefined;
      for (let back = start[node] as number; back < end; back++) {
        const from = to[back] as number;
        if (from === sink || (dead[from] === 1 && from !== source)) continue;
        const paid = (before.next[node] === from ? before.second[node] : before.best[node]) as number;
        const slot = twin[back] as number;
        const made = paid > 0 ? worth(slot, paid) : 0;
        if (!(made > (next[from] === node ? (best[from] as number) : (second[from] as number)))) continue;
        if (!search.allowsSlot(slot)) continue;
        changed.add(from);
        if (next[from] !== node && made > (best[from] as number)) {
          second[from] = best[from] as number;
          best[from] = made;
          next[from] = node;
        } else if (next[from] === node) best[from] = made;
        else second[from] = made;
      }
    }
    if (isTooMuch(best[source] as number, pools)) return undefined;
    const now = { best, second, next };
    let growth = 1;
    for (const node of changed)
      for (const without of [-1, before.next[node] as number, next[node] as number])
        growth = Math.max(growth, timesMore(rateWithout(now, node, without), rateWithout(before, node, without)));
    if (growth === 1 || (!isFinal && pools > search.maxHops && growth < Number.POSITIVE_INFINITY))
      return { rates: best, pools, growth };
    fresh = [...changed];
  }
  return undefined;
}

function timesMore(now: number, before: number): number {
  return now === before ? 1 : now / before;
}

/** The best rate of a node over paths that do not lead to another one. */
function rateWithout(
  { best, second, next }: { readonly best: Float64Array; readonly second: Float64Array; readonly next: Int32Array },
  node: number,
  without: number,
): number {
  return (next[node] === without && without !== -1 ? second[node] : best[node]) as number;
}
