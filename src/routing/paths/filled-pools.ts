import { mathOf } from "../../pools/pool.ts";
import { type MovingPool, takesAll } from "../../pools/pool-math.ts";
import { floored } from "../edges/floored.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import type { Memory } from "../session/scratch.ts";
import type { Session } from "../session/session.ts";

/** What chunks have sold over a slot so far, and what that paid. */
export interface Filled {
  readonly sold: number;
  readonly paid: number;
}

/** Pools as chunks leave them that go over them one after the other. */
export interface FilledPools {
  /** By slot what has gone over it. */
  readonly filled: ReadonlyMap<number, Filled>;
  /** The most that a unit brings over the slot after the chunks before, where these may have made that more; 0 otherwise. */
  rate(slot: number): number;
  /** Whether a chunk may go over the slot: no other pair of a pool is taken that is touched only once. */
  isOpen(slot: number): boolean;
  /** What an amount pays after the chunks before, in whole base units; 0 where the pool does not take all of it. */
  pays(slot: number, amount: number): number;
  /** Takes an amount over a slot; what it pays. */
  fill(slot: number, amount: number): number;
}

const UNTOUCHED: Filled = { sold: 0, paid: 0 };

/** How chunks use a pool: not at all, by one slot alone, or by any pair of its tokens. */
const [UNUSED, ONCE, AGAIN] = [0, 1, 2];

/**
 * Pools that no chunk has gone over yet. `again`: chunks may touch those for several pairs that a route may. What is known of
 * each pool is taken from `memory`.
 */
export function filledPools({ graph, revisits }: Session, again: boolean, memory: Memory): FilledPools {
  const { spot, depth, pool, edgeAt } = graph;
  const filled = new Map<number, Filled>();
  /** The slot that each pool is used in, for those that are touched once. */
  const slotOf = new Map<number, number>();
  const moving = new Map<number, MovingPool>();
  const use = memory.ints(graph.poolCount).fill(UNUSED);

  function pays(slot: number, amount: number): number {
    const used = use[pool[slot] as number];
    if (used === AGAIN) {
      const { direction } = edgeAt(slot);
      const now = moving.get(pool[slot] as number) as MovingPool;
      return amount <= now.most(direction) ? floored(now.pays(direction, amount)) : 0;
    }
    const { sold, paid } = (used === ONCE ? filled.get(slot) : undefined) ?? UNTOUCHED;
    const all = sold + amount;
    const depths = all / (depth[slot] as number);
    if (depths >= 0) return floored(((spot[slot] as number) * all) / (1 + depths) - paid);
    const { curve } = edgeAt(slot);
    return floored(takesAll(curve, all) ? curve.buyAmountFor(all) - paid : 0);
  }

  return {
    filled,
    rate: (slot) => moving.get(pool[slot] as number)?.rate(edgeAt(slot).direction) ?? 0,
    isOpen: (slot) => use[pool[slot] as number] !== ONCE || slotOf.get(pool[slot] as number) === slot,
    pays,
    fill(slot, amount) {
      const number = pool[slot] as number;
      const edge = edgeAt(slot);
      const before = filled.get(slot) ?? UNTOUCHED;
      const paid = pays(slot, amount);
      filled.set(slot, { sold: before.sold + amount, paid: before.paid + paid });
      if (use[number] === UNUSED) {
        const now =
          again && revisits && mayTouchAgain(edge.pool) ? mathOf(edge.pool).moving?.(edge.pool.state) : undefined;
        if (now !== undefined) moving.set(number, now);
        use[number] = now === undefined ? ONCE : AGAIN;
      }
      if (use[number] === ONCE) slotOf.set(number, slot);
      moving.get(number)?.move(edge.direction, amount, paid);
      return paid;
    },
  };
}
