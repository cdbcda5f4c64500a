import { eliminate } from "./elimination.ts";
import type { FlatGraph } from "./flat-graph.ts";
import { createWidthOrder } from "./width-order.ts";

/** Part of what a pool asks for that prices keep to: what is missing is no gain yet, and rounding earns nothing. */
const ASKED = 1 - 5e-10;
/** How far apart rounding may leave bounds that meet. */
const ROUNDING = 1 + 1e-10;
/** Each band of slots is about as many as all that are wider. */
const BANDS = 8;

/**
 * Prices at which no pool gains, wherever there are such. What a pool asks for is a bound on the ratio of two prices.
 * One node after the other leaves the graph, and what its bounds say together about those around it takes their place;
 * then prices are set in the opposite order, each as near to what it was as those set before leave it.
 * Bounds that contradict each other are a cycle of pools that earns: that with the narrower pool is left out. What wide
 * pools say is worked out before others are looked at. `before`: prices that say what pools are worth, and which stand
 * too far off to have a say. A function of the pools alone: nothing is kept from one call to the next.
 */
export function createStraightener(flat: FlatGraph): (before: Float64Array) => void {
  const { rest, from, spot, width } = flat;
  const { links, arcOf, order, start, arcs, to, triangles } = eliminate(flat);
  const widestFirst = createWidthOrder(flat);
  /** The least price where each arc begins, in units of that where it ends: band by band, what all so far say. */
  const bands = Array.from({ length: BANDS }, () => new Float64Array(2 * links));
  const none = new Float64Array(2 * links);
  /** How wide the narrowest pool is that says so. */
  const wide = new Float64Array(2 * links);

  /** Adds a bound to those of a band, which stay what the bands before made them (`wider`) where it contradicts these. */
  const bound = (ratios: Float64Array, wider: Float64Array, arc: number, ratio: number, width: number) => {
    if (!(ratio > (ratios[arc] as number))) return;
    const reverse = arc ^ 1;
    if (ratio * (ratios[reverse] as number) > 1) {
      if (!(width > (wide[reverse] as number)) || ratio * (wider[reverse] as number) > 1) return;
      ratios[reverse] = wider[reverse] as number;
      wide[reverse] = Number.POSITIVE_INFINITY;
    }
    ratios[arc] = ratio;
    wide[arc] = width;
  };
  /** Adds what bounds say together about the nodes that each node leaves behind. */
  const passOn = (ratios: Float64Array, wider: Float64Array) => {
    for (let i = 0; i < triangles.length; i += 3) {
      const one = triangles[i] as number;
      const other = triangles[i + 1] as number;
      const over = triangles[i + 2] as number;
      const there = (ratios[one ^ 1] as number) * (ratios[other] as number);
      if (there > 0) bound(ratios, wider, over, there, Math.min(wide[one ^ 1] as number, wide[other] as number));
      const back = (ratios[other ^ 1] as number) * (ratios[one] as number);
      if (back > 0) bound(ratios, wider, over ^ 1, back, Math.min(wide[other ^ 1] as number, wide[one] as number));
    }
  };
  const boundAll = (before: Float64Array) => {
    const { slots, ends } = widestFirst(before, BANDS);
    wide.fill(0);
    let at = 0;
    bands.forEach((ratios, band) => {
      const wider = bands[band - 1] ?? none;
      ratios.set(wider);
      for (; at < (ends[band] as number); at++) {
        const slot = slots[at] as number;
        const worth = (width[slot] as number) * (before[from[slot] as number] as number);
        bound(ratios, wider, arcOf[slot] as number, (spot[slot] as number) * ASKED, worth);
      }
      passOn(ratios, wider);
    });
  };

  let low = 0;
  let high = 0;
  /** Narrows what is left of a node's price down to what fits of its bounds; whether all do. */
  const narrow = (place: number, ratios: Float64Array): boolean => {
    let fits = true;
    for (let i = start[place] as number; i < (start[place + 1] as number); i++) {
      const other = rest[to[i] as number] as number;
      const arc = arcs[i] as number;
      const least = (ratios[arc] as number) * other;
      const most = other / (ratios[arc ^ 1] as number);
      if (least > high * ROUNDING || most * ROUNDING < low) fits = false;
      else {
        low = Math.max(low, least);
        high = Math.min(high, most);
      }
    }
    return fits;
  };
  const widen = () => {
    low = 0;
    high = Number.POSITIVE_INFINITY;
  };
  return (before) => {
    boundAll(before);
    for (let place = order.length - 1; place >= 0; place--) {
      const node = order[place] as number;
      widen();
      if (!narrow(place, bands[BANDS - 1] as Float64Array)) {
        widen();
        for (const ratios of bands) narrow(place, ratios);
      }
      rest[node] = Math.min(high, Math.max(low, before[node] as number));
    }
  };
}
