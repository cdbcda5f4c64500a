import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { mostProven } from "./certificate.ts";
import { type Relaxed, relax } from "./relax.ts";

/** Factor over the linear estimate of an amount at which it counts as more than anyone sells. */
const AMPLE = 1e8;

/**
 * Prices that prove that no route pays an amount to buy, whatever it sells, up to far more than anyone would; undefined
 * where there are none. `part`: a flow that pays a part of it. The dual of so large an exact-in trade is minimised until either it or
 * a flow says which.
 */
export function shortage(search: Search, part: Split): Relaxed | undefined {
  if (!(part.buyAmount > 0)) return undefined;
  const exactInTrade = ampleExactIn(search, part);
  const relaxed = relax(search, part.logPrices, exactInTrade.amount, { asked: search.amount });
  return relaxed !== undefined && mostProven(relaxed.measured.proof, exactInTrade) < search.amount
    ? relaxed
    : undefined;
}

/** The exact-in trade of more than anyone would sell for an amount to buy, of which a flow pays a part. */
export function ampleExactIn(search: Search, { sellAmount, buyAmount }: Split): Search {
  return { ...search, side: "exactIn", amount: (AMPLE * sellAmount * search.amount) / buyAmount };
}
