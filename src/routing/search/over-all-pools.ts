import { isBetter, isShort, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { restartDual } from "./dual-start.ts";
import { flowOver } from "./flow-over.ts";
import { prune } from "./prune.ts";
import type { Proven } from "./search-outcome.ts";

/** Result of splitting a trade over all pools. */
export interface Spread {
  readonly known: Proven;
  /** The flow over all pools in a route's shape, gas aside; undefined where none is left. */
  readonly gross: Split | undefined;
  /** The best flow so far. */
  readonly best: Split;
}

/**
 * The flow over the pools that the trade takes at the prices that were found, put into a route's shape; where gas counts,
 * without those that do not earn theirs. Prices are minimised again for an exact-out trade that sells more than they hold for.
 */
export function overAllPools(search: Search, path: Split, atFirst: Proven): Spread {
  const { relaxed } = atFirst;
  const sellAmount = sellAmountFrom(search, path);
  const gross = flowOver(withoutGas(search), sellAmount, relaxed.edges(), relaxed.logPrices);
  if (gross === undefined) return { known: atFirst, gross, best: path };
  const isLarger = search.side === "exactOut" && !isShort(search, gross) && gross.sellAmount > relaxed.mostSold;
  const known = isLarger ? restartDual(search, relaxed.logPrices, gross) : atFirst;
  const flow = search.costPerGas > 0 ? prune(search, gross) : gross;
  return { known, gross, best: isBetter(search, flow, path) ? flow : path };
}
