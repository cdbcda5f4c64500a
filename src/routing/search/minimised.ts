import { proveAtFirst } from "../bound/bound.ts";
import { type Purchase, type Relaxed, relax, resting } from "../bound/relax.ts";
import { isShort, mostSoldFor, sellAmountFrom } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Search } from "../session/search.ts";
import type { Proven } from "./search-outcome.ts";

/** How many times what an amount to buy seems to take, by what a part of it does, it may sell at most. */
const MARGIN = 2;
/**
 * What prices prove of a trade at first: where the dual over all pools is least, from the prices of the best path on; or
 * those at rest, where pools stand off each other so far that none prove anything of use.
 */
export function minimisedFrom(search: Search, path: Settled, isHopeless: boolean): Proven {
  const sellAmount = sellAmountFrom(search, path);
  if (isHopeless) return provenBy(search, sellAmount, resting(search, sellAmount));
  const purchase = purchaseOf(search, path);
  return provenBy(search, sellAmount, relax(search, path.logPrices, sellAmount, { purchase }));
}

/** The same from prices at hand on, for a trade that sells about what a flow does. */
export function minimisedAgain(search: Search, logPrices: ReadonlyMap<number, number>, flow: Settled): Proven {
  const { sellAmount } = flow;
  const purchase = purchaseOf(search, flow);
  return provenBy(search, sellAmount, relax(search, logPrices, sellAmount, { purchase }));
}

/** The purchase that a flow is one of, or of a part of it. */
function purchaseOf(search: Search, flow: Settled): Purchase | undefined {
  if (search.side === "exactIn") return undefined;
  const mostSold = isShort(search, flow) ? MARGIN * sellAmountFrom(search, flow) : mostSoldFor(search, flow);
  return { amount: search.amount, mostSold };
}

function provenBy(search: Search, sellAmount: number, relaxed: Relaxed): Proven {
  return { relaxed, proof: proveAtFirst(search, Math.max(sellAmount, relaxed.mostSold), search, relaxed) };
}
