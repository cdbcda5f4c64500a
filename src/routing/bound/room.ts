import type { Room } from "../edges/most-earned.ts";
import type { Search } from "../session/search.ts";
import { FLOAT_ERROR } from "./certificate.ts";
import { type Measured, measureSpot, sumOf } from "./measure.ts";

/**
 * The most that a trade of `sellAmount` can bring of each token. Weak duality for what a route has when it is broken off
 * at a token: at any prices that is worth no more than what is sold and what pools earn at these prices, without gas.
 * The prices are spot prices, and for the tokens of a trade that was minimised without gas also these.
 */
export function roomOf(
  search: Search,
  sellAmount: number,
  { measured, logPrices }: { readonly measured: Measured; readonly logPrices: ReadonlyMap<number, number> },
): Room {
  const { source, sink, graph } = search;
  const { rest } = graph;
  const ends = new Map([source, sink].map((node) => [node, Math.log(rest[node] as number)]));
  const atSpot = measureSpot(search, ends, sellAmount);
  const worthAtSpot = sumOf(atSpot.proof, sellAmount) * (1 + FLOAT_ERROR);
  const worth = sumOf(measured.proof, sellAmount) * (1 + FLOAT_ERROR);
  return (node) => {
    const least = worthAtSpot / (rest[node] as number);
    const logPrice = logPrices.get(node);
    return logPrice === undefined ? least : Math.min(least, worth / Math.exp(logPrice));
  };
}
