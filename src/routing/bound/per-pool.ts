import { mathOf, type Pool } from "../../pools/pool.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import type { Session } from "../session/session.ts";
import type { Earner } from "./earner.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";

/** Earners as a route can have them. */
interface PerPool {
  /** Of pools that a route touches for one pair of their tokens alone the one that earns most, and all others. */
  readonly counted: readonly Earner[];
  /** By how much all that a route can touch earn less than the sum over all slots. */
  readonly less: number;
}

/** What pools of several tokens earn, whose pairs cannot all earn what each of them could by itself. */
export function perPool(session: Session, prices: Prices, earners: readonly Earner[]): PerPool {
  const { pool: numberAt, edgeAt } = session.graph;
  const byPool = new Map<number, Earner[]>();
  for (const earner of earners) {
    const number = numberAt[earner.slot] as number;
    const list = byPool.get(number);
    if (list === undefined) byPool.set(number, [earner]);
    else list.push(earner);
  }
  if (byPool.size === earners.length) return { counted: earners, less: 0 };
  let less = 0;
  const counted = [...byPool.values()].flatMap((list) => {
    if (list.length === 1) return list;
    const { pool } = edgeAt((list[0] as Earner).slot);
    const sum = list.reduce((all, { profit }) => all + profit, 0);
    if (mayTouchAgain(pool)) {
      less += Math.max(0, sum - earnedTogether(session, prices, pool));
      return list;
    }
    const best = list.reduce((most, one) => (one.profit > most.profit ? one : most));
    less += sum - best.profit;
    return [best];
  });
  return { counted, less };
}

/** The most that touches of a pool for several pairs earn together, before their gas. */
function earnedTogether(session: Session, prices: Prices, pool: Pool): number {
  const { graph } = session;
  const values = pool.tokens.map((token) => {
    const node = graph.nodeOf(token);
    return node === undefined ? undefined : outerPrice(session, prices, node);
  });
  return mathOf(pool).mostEarnedTogether?.(pool.state, values) ?? Number.POSITIVE_INFINITY;
}
