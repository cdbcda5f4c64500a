import { type FlatGraph, LEAST_GAIN } from "../edges/flat-graph.ts";

/**
 * Works out what every edge between tokens that are no dead ends gains at the prices at rest, which of them gain, and the
 * least gas of a touch.
 */
export function createScales(flat: FlatGraph): () => void {
  const { rest, start, live, to, spot, spotBack, gain, back, rank, ranked } = flat;
  const nodes = flat.through.toSorted();
  /** The price of each of these nodes, and what of its token is worth 1, side by side: scans meet few of all nodes. */
  const prices = new Float64Array(2 * nodes.length);
  const placeOf = new Int32Array(flat.size);
  nodes.forEach((node, i) => {
    placeOf[node] = 2 * i;
  });
  /** Where the numbers are of what each slot buys. */
  const bought = Int32Array.from(to, (node) => placeOf[node] as number);
  /** The ranks of slots that gain. */
  const found = new Int32Array(spot.length);
  return () => {
    for (let i = 0; i < nodes.length; i++) {
      const price = rest[nodes[i] as number] as number;
      prices[2 * i] = price;
      prices[2 * i + 1] = 1 / price;
    }
    let count = 0;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i] as number;
      const price = prices[2 * i] as number;
      const share = prices[2 * i + 1] as number;
      const end = live[node] as number;
      for (let slot = start[node] as number; slot < end; slot++) {
        const other = bought[slot] as number;
        const there = (spot[slot] as number) * (prices[other] as number) * share;
        gain[slot] = there;
        back[slot] = (spotBack[slot] as number) * price * (prices[other + 1] as number);
        if (there > LEAST_GAIN) found[count++] = rank[slot] as number;
      }
    }
    flat.restless = found.slice(0, count).sort();
    for (let i = 0; i < count; i++) flat.restless[i] = ranked[flat.restless[i] as number] as number;
    if (Number.isNaN(flat.leastGas)) flat.leastGas = leastGasOf(flat);
  };
}

function leastGasOf({ through, start, live, gas }: FlatGraph): number {
  let least = Number.POSITIVE_INFINITY;
  for (const node of through)
    for (let slot = start[node] as number; slot < (live[node] as number); slot++)
      least = Math.min(least, gas[slot] as number);
  return least;
}
