import type { Address } from "../../domain/address.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import type { Session } from "../session/session.ts";
import type { Room } from "./most-earned.ts";

/** The best rate that the edge in a slot may have; undefined for one that its pool's other touches do not move. */
export type SteepestRates = (slot: number) => number | undefined;

/**
 * The best rates of pools that a route may touch for several pairs of their tokens: each after all that the trade can bring
 * of the other tokens has been sold there for what this pair sells.
 */
export function steepestRates({ graph, revisits }: Session, room: Room): SteepestRates {
  const known = new Map<number, number>();
  return (slot) => {
    const pool = graph.pools[graph.pool[slot] as number] as Pool;
    if (!revisits || !mayTouchAgain(pool)) return undefined;
    const before = known.get(slot);
    if (before !== undefined) return before;
    const { direction } = graph.edgeAt(slot);
    const rate = rateAfterAll(pool, direction, (token) => {
      const node = graph.nodeOf(token);
      return node === undefined ? 0 : room(node);
    });
    known.set(slot, rate);
    return rate;
  };
}

/** The rate of a direction once so much of all tokens but the one that it sells has been sold for that one. */
function rateAfterAll(pool: Pool, direction: Direction, amountOf: (token: Address) => number): number {
  const now = mathOf(pool).moving?.(pool.state);
  if (now === undefined) return Number.POSITIVE_INFINITY;
  for (const [sell, token] of pool.tokens.entries()) {
    if (sell === direction.sell) continue;
    const other = { sell, buy: direction.sell };
    const amount = amountOf(token);
    if (!(amount <= now.most(other))) return Number.POSITIVE_INFINITY;
    now.move(other, amount, now.pays(other, amount));
  }
  return now.rate(direction);
}
