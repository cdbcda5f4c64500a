import { isBetter, isShort, resize, sellAmountFrom } from "../flow/goal.ts";
import { type Split, scaleFlow, solveSplit } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { addColumns } from "./add-columns.ts";
import { placeRemainder } from "./place-remainder.ts";
import { fitFillLimit } from "./prune.ts";

/** Limit on searches for paths in addition to the columns that a flow has room for. */
const MAX_ROUNDS = 6;
/** Factor by which the amount to sell of an exact-out trade grows if its pools do not pay it. */
const MORE = 1.25;
/** Limit on adjustments of an exact-out trade to its amount. */
const MAX_SIZES = 12;

/** A flow with what of it is left undone, if anything is, by other paths as far as these have room, and ways off that. */
export function placeAll(search: Search, flow: Split): Split {
  let current = flow;
  for (let round = 0; round < MAX_ROUNDS && current.stuck > 0; round++) {
    const filled = fitFillLimit(search, placeRemainder(search, current));
    if (!isBetter(search, filled, current)) break;
    current = addColumns(search, filled);
  }
  return isShort(search, current) ? boughtUp(search, current) : current;
}

/** Fills up an exact-out trade whose pools do not pay all of it: sells ever more, over other paths once they are full. */
function boughtUp(search: Search, flow: Split): Split {
  let current = flow;
  for (let round = 0; round < MAX_ROUNDS && current.buyAmount < search.amount && !search.over(); round++) {
    const amount = MORE * Math.max(1, sellAmountFrom(search, current));
    const exactInTrade = solveSplit(search, current.support.edges, { side: "exactIn", amount }, current.logPrices);
    const filled = exactInTrade && placeRemainder(search, exactInTrade);
    if (filled === undefined || !(filled.buyAmount > current.buyAmount)) break;
    current = filled.stuck > 0 ? scaleFlow(search, filled, filled.sellAmount - filled.stuck) : filled;
  }
  const bought = fitFillLimit(search, resize(search, current, MAX_SIZES));
  return isBetter(search, bought, flow) ? bought : flow;
}
