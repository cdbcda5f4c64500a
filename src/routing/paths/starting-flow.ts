import { takesAll } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import { type Settled, settle } from "../flow/settled.ts";
import type { Search } from "../session/search.ts";
import { bestPath } from "./best-path.ts";
import { cheapestPath } from "./cheapest-path.ts";
import { exactly, type Rounding } from "./whole-units.ts";

/** How many times less is bought next where no path pays an amount. */
const FEWER = 4;

/** How amounts are rounded that integers have yet to find: not at all. */
const unrounded: Rounding = (_search, _edge, _sellAmount, pays) => pays;

/** As integers have it, and nothing where a pool does not take all of it. */
const allOrNothing: Rounding = (search, edge, sellAmount, pays) =>
  takesAll(edge.curve, sellAmount) ? exactly(search, edge, sellAmount, pays) : 0;

/** The best single path for the goal's amount, or for a part of an amount to buy that none pays. */
export function startingFlow(search: Search): Settled | undefined {
  if (search.side === "exactIn") return sellingFlow(search);
  for (let { amount } = search; amount >= 1 && !search.over(); amount /= FEWER) {
    const flow = buyingFlow({ ...search, amount });
    if (flow !== undefined) return flow;
  }
  return settlePath(search, 1, 0, unrounded);
}

function buyingFlow(search: Search): Settled | undefined {
  const path = cheapestPath(search, search.amount, search.costPerGas);
  return path && settleOver(search, path.edges, path.sellAmount);
}

/** The path for an amount to sell; where nothing comes out on any, integers say so on the one that would be the best. */
function sellingFlow(search: Search): Settled | undefined {
  const { amount, costPerGas } = search;
  const widest = settlePath(search, amount, costPerGas, exactly);
  if (widest === undefined) return settlePath(search, amount, costPerGas, unrounded);
  if (widest.stuck === 0) return widest;
  // A path that pays less may take all of it.
  search.missed.noRoom = true;
  return settlePath(search, amount, costPerGas, allOrNothing) ?? widest;
}

function settlePath(search: Search, sellAmount: number, costPerGas: number, rounding: Rounding): Settled | undefined {
  const path = bestPath(search, sellAmount, costPerGas, rounding);
  return path && settleOver(search, path.edges, sellAmount);
}

export function settleOver(search: Search, edges: readonly Edge[], sellAmount: number): Settled | undefined {
  const start = new Map<number, number>();
  const rates: number[] = [];
  let amount = sellAmount;
  for (const edge of edges) {
    rates.push(edge.curve.marginalRate(amount));
    amount = edge.curve.buyAmountFor(amount);
  }
  let logPrice = 0;
  for (let i = edges.length - 1; i >= 0; i--) {
    logPrice += Math.log(rates[i] as number);
    start.set((edges[i] as Edge).from, logPrice);
  }
  return settle(search, edges, { side: "exactIn", amount: sellAmount }, start);
}
