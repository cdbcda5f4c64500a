import type { Measured, PriceProof } from "../bound/measure.ts";
import type { Session } from "../session/session.ts";

/** How often the charge is set anew, and how close to the best one, as a part. */
const MOST_CHARGES = 24;
const CLOSE = 0.03;
/** How many times the charge of the last pool that may be touched, and how small a part of it, is tried. */
const WIDEST = 64;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** How often all multipliers are set in turn for a charge. */
const SWEEPS = 3;
/** A slope that counts as none. */
const FLAT = 1e-12;

/** A pool that earns, and the places of the tokens that it leads between; none at the ends of a route. */
interface Earning {
  readonly profit: number;
  readonly from: number;
  readonly to: number;
}

/**
 * What prices prove of a purchase, whose routes are trees: each touch out of a token but the sold one has a touch into it of
 * its own below. With a charge c for each of N touches and a multiplier m of that, 0 <= m <= c, for each token, routes earn
 * no more than
 *
 *   N * c + sum over all edges of max(0, earned - c - m of the token sold + m of the token bought)
 *
 * since a further touch of an edge earns nothing and costs c - m at least. The sum is convex: charges are tried by golden
 * section, the multipliers of each one by one. No edge that is not among the earners has more taken off its charge than is
 * left of it.
 */
export function treeProof(session: Session, { proof, earners, unnamed }: Measured): PriceProof {
  const { graph, source, sink, maxFills } = session;
  const places = new Map<number, number>();
  const placeOf = (node: number): number => {
    if (node === source || node === sink) return -1;
    const place = places.get(node) ?? places.size;
    places.set(node, place);
    return place;
  };
  const all = earners.map(({ slot, profit }): Earning => {
    return { profit, from: placeOf(graph.from[slot] as number), to: placeOf(graph.to[slot] as number) };
  });
  // No edge is charged more than twice.
  if (2 * all.length <= maxFills) return proof;
  const into: Earning[][] = Array.from(places, () => []);
  const out: Earning[][] = Array.from(places, () => []);
  for (const one of all) {
    into[one.to]?.push(one);
    out[one.from]?.push(one);
  }
  /** The multipliers as parts of the charge, with one of 0 for the ends, at -1. */
  const parts = new Float64Array(places.size);
  const partAt = (place: number): number => (place === -1 ? 0 : (parts[place] as number));
  /** Sets the multiplier of one token where the sum is least. */
  const settle = (place: number, charge: number): void => {
    const kinks: { readonly at: number; readonly slope: number }[] = [];
    let slope = 0;
    for (const { profit, from } of into[place] as Earning[]) {
      const short = charge * (1 + partAt(from)) - profit;
      if (short < 0) slope += 1;
      else kinks.push({ at: short, slope: 1 });
    }
    for (const { profit, to } of out[place] as Earning[]) {
      const over = profit - charge * (1 - partAt(to));
      if (over <= 0) continue;
      slope -= 1;
      kinks.push({ at: over, slope: 1 });
    }
    const most = Math.max(0, charge - unnamed);
    let best = 0;
    if (slope < -FLAT) {
      best = most;
      for (const kink of kinks.sort((a, b) => a.at - b.at)) {
        slope += kink.slope;
        if (slope < -FLAT) continue;
        best = Math.min(most, kink.at);
        break;
      }
    }
    parts[place] = best / charge;
  };
  const earnedWith = (charge: number): number => {
    session.steps += SWEEPS * all.length;
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (let place = 0; place < places.size; place++) settle(place, charge);
    let earned = maxFills * charge;
    for (const { profit, from, to } of all) earned += Math.max(0, profit - charge * (1 + partAt(from) - partAt(to)));
    return earned;
  };
  const last = all.map(({ profit }) => profit).sort((a, b) => b - a)[Math.min(all.length, maxFills) - 1] as number;
  let [low, high] = [Math.max(2 * unnamed, last / WIDEST), last * WIDEST].map(Math.log) as [number, number];
  let earned = Number.POSITIVE_INFINITY;
  const tried = (log: number): number => {
    const value = earnedWith(Math.exp(log));
    earned = Math.min(earned, value);
    return value;
  };
  let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atA, atB] = [tried(a), tried(b)];
  for (let round = 0; round < MOST_CHARGES && high - low > CLOSE; round++) {
    if (atA < atB) {
      [high, b, atB] = [b, a, atA];
      a = high - GOLDEN * (high - low);
      atA = tried(a);
    } else {
      [low, a, atA] = [a, b, atB];
      b = low + GOLDEN * (high - low);
      atB = tried(b);
    }
  }
  return earned < proof.earned ? { ...proof, earned, unavoidable: 0 } : proof;
}
