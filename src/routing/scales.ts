import { byRank, type FlatGraph, LEAST_GAIN } from "./flat-graph.ts";

/**
 * Works out what every edge between tokens that are no dead ends gains at the prices at rest, which of them gain, and the
 * least gas of a touch. `touched`: the slots whose edges have changed since the last call; all where it is absent.
 */
export function createScales(flat: FlatGraph): (touched?: readonly number[]) => void {
  const { rest, start, live, through, dead, from, to, spot, spotBack, twin, gain, back } = flat;
  const known = new Float64Array(flat.size);
  return (touched) => {
    const restless = new Set(touched === undefined ? [] : flat.restless);
    const weigh = (slot: number) => {
      const reverse = twin[slot] as number;
      const [price, other] = [rest[from[slot] as number] as number, rest[to[slot] as number] as number];
      const there = (spot[slot] as number) * other * (1 / price);
      const home = (spotBack[slot] as number) * price * (1 / other);
      gain[slot] = there;
      back[reverse] = there;
      back[slot] = home;
      gain[reverse] = home;
      if (there > LEAST_GAIN) restless.add(slot);
      if (home > LEAST_GAIN) restless.add(reverse);
    };
    for (let i = 0; i < through.length; i++) {
      const node = through[i] as number;
      if (touched !== undefined && rest[node] === known[node]) continue;
      known[node] = rest[node] as number;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++) weigh(slot);
    }
    for (const slot of touched ?? [])
      if (dead[from[slot] as number] === 0 && dead[to[slot] as number] === 0) weigh(slot);
    const gaining = [...restless].filter((slot) => (gain[slot] as number) > LEAST_GAIN);
    flat.restless = Int32Array.from(gaining.sort(byRank(flat)));
    if (flat.leastGas === Number.POSITIVE_INFINITY)
      flat.leastGas = flat.gas.reduce((least, gas) => Math.min(least, gas), Number.POSITIVE_INFINITY);
  };
}
