import { isHopeless, relax, shortage } from "../bound/relax.ts";
import { isDone, isShort, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { placeAll } from "./place-all.ts";
import { flowOver } from "./prune.ts";

/**
 * Flows that do a whole trade as floats see it, whatever they bring, those that are found sooner first: the best path, which is
 * known, what all pools at once come to where there is not too much arbitrage, and the path with others that take what finds no
 * room on it. None where prices prove that none does.
 */
export function* anyFlows(search: Search, path: Split): Generator<Split> {
  if (isDone(search, path)) yield path;
  if (search.over()) return;
  if (!isHopeless(search, search.side === "exactIn" ? path.buyAmount : search.amount)) {
    if (isShort(search, path) && shortage(search, path) !== undefined) return;
    const all = overAllPools(search, path);
    if (all !== undefined && isDone(search, all)) yield all;
  }
  const filled = placeAll(search, path);
  if (isDone(search, filled)) yield filled;
}

function overAllPools(search: Search, path: Split): Split | undefined {
  const sellAmount = sellAmountFrom(search, path);
  const { edges, logPrices } = relax(search, path.logPrices, sellAmount, { isRough: true });
  return flowOver(withoutGas(search), sellAmount, edges(), logPrices);
}
