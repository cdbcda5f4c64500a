import type { FlatGraph } from "../edges/flat-graph.ts";
import { createBounds } from "./bounds.ts";
import { eliminate } from "./elimination.ts";

/** How far apart rounding may leave bounds that meet. */
const ROUNDING = 1 + 1e-10;

/**
 * Prices at which no pool gains, wherever there are such. One node after the other leaves the graph, and what its bounds
 * say together about those around it takes their place; then prices are set in the opposite order, each as near to what
 * it was as those set before leave it. `before`: prices that say what pools are worth, and which stand too far off to
 * have a say; `touched`: the slots whose edges have changed since the last call; all where it is absent. A function of
 * the pools alone: what is kept is what comes out the same.
 */
export function createStraightener(flat: FlatGraph): (before: Float64Array, touched?: readonly number[]) => void {
  const { rest } = flat;
  const elimination = eliminate(flat);
  const { order, start, to } = elimination;
  const { bands, least, saysMore, last, follow } = createBounds(flat, elimination);

  /** What is nearest to a price of what the bounds of a node leave it: those of all bands, or of the wider ones that fit. */
  const nearest = (place: number, price: number): number => {
    const begin = start[place] as number;
    const end = start[place + 1] as number;
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    for (let link = begin; link < end; link++) {
      const other = rest[to[link] as number] as number;
      const from = (last[2 * link] as number) * other;
      const until = other / (last[2 * link + 1] as number);
      if (from > high * ROUNDING || until * ROUNDING < low) return nearestOfWider(place, price);
      if (from > low) low = from;
      if (until < high) high = until;
    }
    return Math.min(high, Math.max(low, price));
  };
  const nearestOfWider = (place: number, price: number): number => {
    const begin = start[place] as number;
    const end = start[place + 1] as number;
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    for (let band = 0; band < bands; band++)
      for (let link = begin; link < end; link++) {
        // What a band before has said does not narrow the price down again.
        if (!saysMore(link, band)) continue;
        const other = rest[to[link] as number] as number;
        const from = least(link, band, 0) * other;
        const until = other / least(link, band, 1);
        if (from > high * ROUNDING || until * ROUNDING < low) continue;
        if (from > low) low = from;
        if (until < high) high = until;
      }
    return Math.min(high, Math.max(low, price));
  };
  return (before, touched) => {
    follow(before, touched);
    for (let place = order.length - 1; place >= 0; place--) {
      const node = order[place] as number;
      rest[node] = nearest(place, before[node] as number);
    }
  };
}
