import { type ExactOutTrade, proveAtFirst, type Relaxed, relax, spotBound } from "../bound/relax.ts";
import { isShort, mostSoldFor, sellAmountFrom } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import type { Proven } from "./search-outcome.ts";

/** Factor over the linear estimate of the amount that an exact-out trade sells: its upper limit. */
const MARGIN = 2;
/**
 * Proves a first bound of a trade: by the minimum of the dual over all pools, started at the prices of the best path, or
 * by spot prices, if arbitrage between pools makes every bound useless.
 */
export function startDual(search: Search, path: Split, isHopeless: boolean): Proven {
  const sellAmount = sellAmountFrom(search, path);
  if (isHopeless) return provenBy(search, sellAmount, spotBound(search, sellAmount));
  const exactOutTrade = exactOutTradeOf(search, path);
  return provenBy(search, sellAmount, relax(search, path.logPrices, sellAmount, { exactOutTrade }));
}

/** Minimises the dual from given prices, for a trade that sells about what a flow does. */
export function restartDual(search: Search, logPrices: ReadonlyMap<number, number>, flow: Split): Proven {
  const { sellAmount } = flow;
  const exactOutTrade = exactOutTradeOf(search, flow);
  return provenBy(search, sellAmount, relax(search, logPrices, sellAmount, { exactOutTrade }));
}

/** The exact-out trade that a flow is one of, or of a part of it. */
function exactOutTradeOf(search: Search, flow: Split): ExactOutTrade | undefined {
  if (search.side === "exactIn") return undefined;
  const mostSold = isShort(search, flow) ? MARGIN * sellAmountFrom(search, flow) : mostSoldFor(search, flow);
  return { amount: search.amount, mostSold };
}

function provenBy(search: Search, sellAmount: number, relaxed: Relaxed): Proven {
  return { relaxed, proof: proveAtFirst(search, Math.max(sellAmount, relaxed.mostSold), relaxed) };
}
