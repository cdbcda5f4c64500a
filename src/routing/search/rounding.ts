import { fillsOf, type Route } from "../../domain/route.ts";
import type { Edge } from "../edges/edges.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import { without } from "./prune.ts";

/** Pools that are left out one by one by way of trial, those that lose most. */
const TRIED = 3;
const MAX_ROUNDS = 4;
/** Loss from which on a pool counts, as a part of the trade's value. */
const NOTICED = 1e-9;

/**
 * Drops pools that lose more to rounding than they bring, all at once or one by one, as long as that is
 * worth more in integers.
 */
export function withoutRounded(search: Search, answer: Evaluated): Evaluated {
  let best = answer;
  for (let round = 0; round < MAX_ROUNDS && !search.over(); round++) {
    const before = best;
    const losers = losersOf(before.flow, before.route);
    const alone = losers.length > 1 ? losers.slice(0, TRIED).map((edge) => [edge]) : [];
    for (const dropped of [losers, ...alone]) {
      const other = dropped.length === 0 ? undefined : without(search, before.flow, new Set(dropped));
      const next = other && evaluate(search, other, { above: best.value });
      if (next !== undefined && !("broken" in next) && next.value > best.value) best = next;
    }
    if (best === before) break;
  }
  return best;
}

/** The edges at which integers pay less than floats say by more than the edge brings, those that lose most first. */
function losersOf({ support, profits, logPrices, buyAmount }: Split, route: Route): Edge[] {
  const traded = new Map<string, { sold: number; bought: number }>();
  for (const { poolId, buyToken, sellAmount, buyAmount: paid } of fillsOf(route)) {
    const key = `${poolId} ${buyToken}`;
    const { sold, bought } = traded.get(key) ?? { sold: 0, bought: 0 };
    traded.set(key, { sold: sold + Number(sellAmount), bought: bought + Number(paid) });
  }
  const least = NOTICED * buyAmount;
  const lost = new Map<Edge, number>();
  support.edges.forEach((edge, i) => {
    const used = traded.get(`${edge.pool.id} ${edge.pool.tokens[edge.direction.buy]}`);
    if (used === undefined) return;
    const missing = edge.curve.buyAmountFor(used.sold) - used.bought;
    const loss = missing * Math.exp(logPrices.get(edge.to) as number) - (profits[i] as number);
    if (loss > least) lost.set(edge, loss);
  });
  return [...lost].sort((a, b) => b[1] - a[1]).map(([edge]) => edge);
}
