import type { Search } from "../session/search.ts";

/** The least amounts that one pool has to bring, each by its token's node. */
export type Wanted = Iterable<readonly [node: number, amount: number]>;

/**
 * The least amount of each token, by node, from which the last pool or the last two may bring `amount` of the sink's, or one
 * pool what is `wanted` of another token; infinite where none can. What is no hyperbola counts as the deepest that it may be.
 * Valid until the next call.
 */
export function neededFor(search: Search, amount: number, wanted: Wanted = []): Float64Array {
  const { graph, source, sink, entryEnd, closes, workspace } = search;
  const { size, start, live, to, twin, spotBack, deepest } = graph;
  const { needed } = workspace;
  needed.fill(Number.POSITIVE_INFINITY, 0, size);
  /** Takes in what the pool takes for an amount whose other direction lies in a slot. */
  const hear = (back: number, amount: number) => {
    const node = to[back] as number;
    const rate = spotBack[back] as number;
    const known = needed[node] as number;
    if (!(amount < known * rate)) return;
    // Not even the deepest hyperbola that the curve may be pays more than its depth at the first rate.
    const left = rate - amount / (deepest[twin[back] as number] as number);
    if (left > 0) needed[node] = Math.min(known, amount / left);
  };
  for (let back = start[sink] as number; back < entryEnd; back++) hear(back, amount);
  const least = new Map(wanted);
  for (let back = start[sink] as number; back < entryEnd; back++) {
    const node = to[back] as number;
    const known = needed[node] as number;
    if (node !== source && closes(node) && known < Number.POSITIVE_INFINITY && !least.has(node)) least.set(node, known);
  }
  for (const [node, amount] of least)
    for (let back = start[node] as number; back < (live[node] as number); back++) hear(back, amount);
  return needed;
}
