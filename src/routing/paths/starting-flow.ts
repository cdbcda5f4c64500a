import type { Edge } from "../edges/edges.ts";
import { type Split, solveSplit } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";
import { paidBy, pricesAlong } from "./amounts.ts";
import { bestPath } from "./best-path.ts";
import { type PathDirection, pathDirectionOf } from "./path-direction.ts";

/** Factor by which the amount to buy shrinks if no path pays it. */
const FEWER = 4;

/** The best single path for the search's amount, or for a part of an amount to buy that none pays. */
export function startingFlow(search: Search): Split | undefined {
  const way = pathDirectionOf(search, search.side);
  const { costPerGas } = search;
  if (way.sells) return sellingFlow(search, way);
  for (let { amount } = search; amount >= 1 && !search.over(); amount /= FEWER) {
    const path = bestPath(search, way, amount, costPerGas);
    const flow = path && solveOver(search, path.edges, path.amount);
    if (flow !== undefined) return flow;
  }
  return solvePath({ ...search, amount: 1, costPerGas: 0 }, pathDirectionOf(search, "exactIn"), asCurve);
}

/** The path for an amount to sell; where nothing comes out on any, integers say so on the one that would be the best. */
function sellingFlow(search: Search, way: PathDirection): Split | undefined {
  const widest =
    solvePath(search, way, (edge, amount) => paidBy(edge, amount, search.time)) ?? solvePath(search, way, asCurve);
  if (widest === undefined || widest.stuck === 0) return widest;
  // A path that pays less may take all of it.
  search.missed.noRoom = true;
  return solvePath(search, way, way.becomes) ?? widest;
}

/** Amount that an edge pays by its curve, of which integers may see nothing. */
function asCurve({ curve }: Edge, amount: number): number {
  return curve.buyAmountFor(amount);
}

function solvePath(search: Search, way: PathDirection, becomes: PathDirection["becomes"]): Split | undefined {
  const path = bestPath(search, way, search.amount, search.costPerGas, becomes);
  return path && solveOver(search, path.edges, search.amount);
}

export function solveOver(search: Search, edges: readonly Edge[], sellAmount: number): Split | undefined {
  return solveSplit(search, edges, { side: "exactIn", amount: sellAmount }, pricesAlong(edges, sellAmount));
}
