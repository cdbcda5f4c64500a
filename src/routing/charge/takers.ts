import { outerPrice, type Prices } from "../bound/outer-prices.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import type { Session } from "../session/session.ts";
import { FARTHEST, mostSold } from "./most-sold.ts";

/** What edges take of tokens, in base units, at prices above which a purchase leaves so much open. */
export interface Takers {
  /** What a purchase may lose against these prices, in bought units. */
  readonly open: number;
  /** What each edge out of a token takes at most, by how far its slot is behind the token's first; 0 for one of no use. */
  outOf(node: number): Float64Array;
  /** What an edge takes at most where it earns so much less than it is counted with. */
  most(slot: number, less: number): number;
  /** What an edge gives for a unit that it takes at the least, whatever it has taken before; 0 where that is not known. */
  leastRate(slot: number): number;
}

/** `countedWith`: what the prices count each edge with. */
export function takersAt(
  session: Session,
  prices: Prices,
  open: number,
  countedWith: (slot: number) => number,
): Takers {
  const { start, to, edgeAt } = session.graph;
  const known = new Map<number, Float64Array>();
  const most = (slot: number, less: number): number => {
    const edge = edgeAt(slot);
    // What touches of other pairs leave of a pool of more tokens may take any amount.
    if (mayTouchAgain(edge.pool)) return Number.POSITIVE_INFINITY;
    const [price, paid] = [outerPrice(session, prices, edge.from), outerPrice(session, prices, edge.to)];
    return mostSold(edge, price, paid, countedWith(slot) - less);
  };
  const takenOutOf = (node: number): Float64Array => {
    const first = start[node] as number;
    const taken = new Float64Array(session.endOf(node) - first);
    session.steps += taken.length;
    for (let i = 0; i < taken.length; i++) {
      const slot = first + i;
      if (session.leadsOn(slot, node) && session.usable(node, to[slot] as number) && session.allowsSlot(slot))
        taken[i] = most(slot, open);
    }
    return taken;
  };
  return {
    open,
    most,
    outOf(node) {
      const taken = known.get(node) ?? takenOutOf(node);
      known.set(node, taken);
      return taken;
    },
    leastRate(slot) {
      const { spot, depth, curve } = edgeAt(slot);
      const stretch = 1 + most(slot, open) / (depth * (1 - (curve.keptFee ?? 0)));
      return depth > 0 && stretch <= FARTHEST ? spot / stretch ** 2 : 0;
    },
  };
}
