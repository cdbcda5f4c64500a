import { mathOf, type Pool } from "../../pools/pool.ts";
import { mayUseAgain } from "../edges/may-use-again.ts";
import type { Search } from "../session/search.ts";
import type { Earner } from "./measure.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";

/** Earners as a route can have them. */
interface PerPool {
  /** For each pool used for one pair of tokens only, its best earner; all earners of other pools. */
  readonly counted: readonly Earner[];
  /** By how much all that a route can use earn less than the sum over all slots. */
  readonly less: number;
}

/** Sums the earnings of pools of several tokens, whose pairs exclude each other in part. */
export function perPool(search: Search, prices: Prices, earners: readonly Earner[]): PerPool {
  const { pool: numberAt, pools } = search.graph;
  const poolOf = ({ slot }: Earner) => pools[numberAt[slot] as number] as Pool;
  // A pool of two tokens earns in one direction at most.
  const ofSeveral = earners.filter((earner) => poolOf(earner).tokens.length > 2);
  let less = 0;
  const dropped = new Set<Earner>();
  for (const [pool, list] of Map.groupBy(ofSeveral, poolOf)) {
    if (list.length === 1) continue;
    const sum = list.reduce((all, { profit }) => all + profit, 0);
    if (search.revisits && mayUseAgain(pool)) {
      less += Math.max(0, sum - earnedTogether(search, prices, pool));
      continue;
    }
    const best = list.reduce((most, one) => (one.profit > most.profit ? one : most));
    less += sum - best.profit;
    for (const one of list) if (one !== best) dropped.add(one);
  }
  return { counted: dropped.size === 0 ? earners : earners.filter((one) => !dropped.has(one)), less };
}

/** The most that uses of a pool for several pairs earn together, before their gas. */
function earnedTogether(search: Search, prices: Prices, pool: Pool): number {
  const { graph } = search;
  const values = pool.tokens.map((token) => {
    const node = graph.nodeOf(token);
    return node === undefined ? undefined : outerPrice(search, prices, node);
  });
  return mathOf(pool).mostEarnedTogether?.(pool.state, values) ?? Number.POSITIVE_INFINITY;
}
