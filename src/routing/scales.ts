import { type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";

/**
 * Works out what every edge between tokens that are no dead ends gains at the prices at rest, which of them gain, and the
 * least gas of a touch.
 */
export function createScales(flat: FlatGraph): () => void {
  const { rest, start, live, to, spot, spotBack, gain, back, rank, ranked } = flat;
  const nodes = flat.through.toSorted();
  const inverse = new Float64Array(flat.size);
  /** The ranks of slots that gain. */
  const found = new Int32Array(spot.length);
  return () => {
    for (const node of nodes) inverse[node] = 1 / (rest[node] as number);
    let count = 0;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i] as number;
      const [price, share] = [rest[node] as number, inverse[node] as number];
      const end = live[node] as number;
      for (let slot = start[node] as number; slot < end; slot++) {
        const other = to[slot] as number;
        const there = (spot[slot] as number) * (rest[other] as number) * share;
        gain[slot] = there;
        back[slot] = (spotBack[slot] as number) * price * (inverse[other] as number);
        if (there > LEAST_GAIN) found[count++] = rank[slot] as number;
      }
    }
    flat.restless = found
      .subarray(0, count)
      .sort()
      .map((place) => ranked[place] as number);
    if (Number.isNaN(flat.leastGas))
      flat.leastGas = flat.gas.reduce((least, gas) => Math.min(least, gas), Number.POSITIVE_INFINITY);
  };
}
