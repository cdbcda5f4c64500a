import { createCentre } from "./centre.ts";
import { byRank, type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";
import { createStraightener } from "./straighten.ts";
import { createWidestPrices } from "./widest-prices.ts";

/**
 * Values of tokens when nobody trades, and what every edge gains at them: worked out anew by each call of what is
 * returned. The hubs are priced along the widest chain of pools among themselves; every other token by its widest pool
 * with a token that is priced already, one layer after the other; then pools that would gain raise prices. Dead ends
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
  return (touched) => {
    const before = priceByWidest(touched);
    rest.set(before);
    straighten(before);
    centre(before, touched);
    weigh(flat);
  };
}

/** What every edge between tokens that are no dead ends gains, and the least gas of all edges. */
function weigh(flat: FlatGraph): void {
  const { rest, start, live, through, to, spot, spotBack, gain, back } = flat;
  const restless: number[] = [];
  for (let i = 0; i < through.length; i++) {
    const node = through[i] as number;
    const price = rest[node] as number;
    const own = 1 / price;
    const end = live[node] as number;
    for (let slot = start[node] as number; slot < end; slot++) {
      const other = rest[to[slot] as number] as number;
      const value = (spot[slot] as number) * other * own;
      gain[slot] = value;
      back[slot] = (spotBack[slot] as number) * price * (1 / other);
      if (value > LEAST_GAIN) restless.push(slot);
    }
  }
  if (flat.leastGas === Number.POSITIVE_INFINITY)
    flat.leastGas = flat.gas.reduce((least, gas) => Math.min(least, gas), Number.POSITIVE_INFINITY);
  flat.restless = Int32Array.from(restless.sort(byRank(flat)));
}
