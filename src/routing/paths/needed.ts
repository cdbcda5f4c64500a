import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Session } from "../session/session.ts";

/** The least amounts that one pool has to bring, each by its token's node. */
export type Wanted = Iterable<readonly [node: number, amount: number]>;

/**
 * The least amount of each token, by node, from which the last pool or the last two may bring `amount` of the sink's, or one
 * pool what is `wanted` of another token; infinite where none can. What is no hyperbola counts as the deepest that it may be.
 * Valid until the next call.
 */
export function neededFor(session: Session, amount: number, wanted: Wanted = []): Float64Array {
  const { graph, source, sink, entryEnd, closes, workspace } = session;
  const { size, start, live, to, twin, spotBack, depth, deepest } = graph;
  const { needed } = workspace;
  needed.fill(Number.POSITIVE_INFINITY, 0, size);
  /** Takes in what the pool takes for an amount whose other direction lies in a slot. */
  const hear = (back: number, amount: number) => {
    const node = to[back] as number;
    const rate = spotBack[back] as number;
    const known = needed[node] as number;
    if (!(amount < known * rate)) return;
    const slot = twin[back] as number;
    const taken = amount / (rate - amount / (deepest[slot] as number));
    const trusted = TRUSTED_DEPTHS * (depth[slot] as number);
    if (taken < 0 || taken > trusted) {
      if (trusted > 0) needed[node] = Math.min(known, Math.max(amount / rate, trusted));
    } else needed[node] = Math.min(known, taken);
  };
  for (let back = start[sink] as number; back < entryEnd; back++) hear(back, amount);
  const least = new Map(wanted);
  for (let back = start[sink] as number; back < entryEnd; back++) {
    const node = to[back] as number;
    if (node !== source && closes(node))
      least.set(node, Math.min(least.get(node) ?? Number.POSITIVE_INFINITY, needed[node] as number));
  }
  for (const [node, amount] of least)
    for (let back = start[node] as number; back < (live[node] as number); back++) hear(back, amount);
  return needed;
}
