import { type FlatGraph, LEAST_GAIN } from "../edges/flat-graph.ts";

const SWEEPS = 2;

/**
 * Moves prices that are not those before pools had their say: to the middle, in the logarithm, of what the pools around
 * leave them, one after the other in the order of their first pools' ids. No pool that does not gain before gains
 * after it; but one that a trade's first touch would make gain does no more. `touched`: the slots whose edges have
 * changed since the last call; all where it is absent.
 */
export function createCentre(flat: FlatGraph): (before: Float64Array, touched?: readonly number[]) => void {
  const { rest, through, start, live, spot, spotBack } = flat;
  // What is read lies in the order in which it is read: the slots of these nodes, one node after the other. Nodes go by
  // their numbers in that order.
  const numberOf = new Int32Array(flat.size);
  through.forEach((node, i) => {
    numberOf[node] = i;
  });
  const prices = new Float64Array(through.length);
  const first = new Int32Array(through.length + 1);
  through.forEach((node, i) => {
    first[i + 1] = (first[i] as number) + (live[node] as number) - (start[node] as number);
  });
  const count = first[through.length] as number;
  const placeOf = new Int32Array(spot.length).fill(-1);
  const to = new Int32Array(count);
  const rate = new Float64Array(count);
  const rateBack = new Float64Array(count);
  through.forEach((node, i) => {
    const begin = first[i] as number;
    flat.to.subarray(start[node], live[node]).forEach((other, k) => {
      to[begin + k] = numberOf[other] as number;
      placeOf[(start[node] as number) + k] = begin + k;
    });
  });
  const isMoved = new Uint8Array(through.length);
  const take = (slot: number) => {
    const place = placeOf[slot] as number;
    if (place < 0) return;
    rate[place] = spot[slot] as number;
    rateBack[place] = spotBack[slot] as number;
  };

  const middleOf = (price: number, begin: number, end: number): number => {
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    for (let place = begin; place < end; place++) {
      const other = prices[to[place] as number] as number;
      const asked = (rate[place] as number) * other;
      if (asked > low && asked <= price * LEAST_GAIN) low = asked;
      const offered = other / (rateBack[place] as number);
      if (offered < high && offered * LEAST_GAIN >= price) high = offered;
    }
    return low > 0 && high < Number.POSITIVE_INFINITY && low < high ? Math.sqrt(low * high) : price;
  };

  return (before, touched) => {
    if (touched === undefined) for (let slot = 0; slot < spot.length; slot++) take(slot);
    else for (const slot of touched) take(slot);
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      const price = rest[node] as number;
      prices[i] = price;
      isMoved[i] = price === before[node] ? 0 : 1;
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (let i = 0; i < through.length; i++)
        if (isMoved[i] === 1) prices[i] = middleOf(prices[i] as number, first[i] as number, first[i + 1] as number);
    for (let i = 0; i < through.length; i++) rest[through[i] as number] = prices[i] as number;
  };
}
