import type { Support } from "./support.ts";

/**
 * How often a flow touches pools at least where an amount is bought, as trees: a token that so many touches want is made by
 * as many pieces as producers and these, less one; each piece more that goes to a producer wants another one of what that
 * takes, so that those nearest to the sold token are the ones to be touched again.
 */
export function treeTouches({ order, from, to, depth }: Support): number {
  const size = order.length;
  const producers = new Int32Array(size);
  const nearest = new Int32Array(size).fill(-1);
  const wants = new Int32Array(size);
  from.forEach((first, i) => {
    const second = to[i] as number;
    const known = nearest[second] as number;
    if (known === -1 || (depth[first] as number) < (depth[known] as number)) nearest[second] = first;
    producers[second]! += 1;
    wants[first]! += 1;
  });
  let touches = 0;
  // The first place is that of the sold token; the bought one is wanted once.
  for (let at = size - 1; at > 0; at--) {
    const again = Math.max(0, (wants[at] as number) - 1);
    touches += (producers[at] as number) + again;
    wants[nearest[at] as number]! += again;
  }
  return touches;
}
