import type { FlatGraph } from "../edges/flat-graph.ts";
import { createCentre } from "./centre.ts";
import { createScales } from "./scales.ts";
import { createStraightener } from "./straighten.ts";
import { createWidestPrices } from "./widest-prices.ts";

/**
 * Values of tokens when nobody trades, and what every edge gains at them: worked out anew by each call of what is
 * returned. The hubs are priced along the widest chain of pools among themselves; every other token by its widest pool
 * with a token that is priced already, one layer after the other; then they are moved until no pool gains, as far as that can be. Dead ends
 * have no say, and no price: who begins or ends a route there prices it. A function of the pools alone: graphs that came
 * about in different ways have the same prices, whatever they were before. `touched`: the slots whose edges have
 * changed since the last call; all of them where it is absent.
 */
export function createRestPrices(
  flat: FlatGraph,
  names: (node: number) => string,
): (touched?: readonly number[]) => void {
  const { rest } = flat;
  const priceByWidest = createWidestPrices(flat, names);
  const straighten = createStraightener(flat);
  const centre = createCentre(flat);
  const weigh = createScales(flat);
  return (touched) => {
    const before = priceByWidest(touched);
    rest.set(before);
    straighten(before, touched);
    centre(before, touched);
    weigh();
  };
}
