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
/** How many charges a multiplier may be at most of tokens to which no pool leads from the sold one, and of others. */
const [FAR, NEXT] = [2, 1];

/** A pool that earns, and the places of the tokens that it leads between; none at the ends of a route. */
interface Earning {
  readonly profit: number;
  readonly from: number;
  readonly to: number;
}

/**
 * What prices prove of a purchase, whose routes are trees: each touch out of a token but the sold one has a touch into it of
 * its own below. With a charge c for each of N touches and a multiplier m of that for each token, at least 0 and no more than
 * c above that of any token that a pool leads from, routes earn no more than
 *
 *   N * c + sum over all edges of max(0, earned - c - m of the token sold + m of the token bought)
 *
 * with 0 for m of the sold and of the bought token, since a further touch of an edge earns nothing and costs 0 or more. The
 * sum is convex: charges are tried by golden section, the multipliers of each one by one. No edge that is not among the
 * earners has more taken off its charge than is left of it. Tokens without earners have an m of c, so that it is 2 c at most
 * elsewhere.
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
  if ((1 + FAR) * all.length <= maxFills) return proof;
  const into: Earning[][] = Array.from(places, () => []);
  const out: Earning[][] = Array.from(places, () => []);
  for (const one of all) {
    into[one.to]?.push(one);
    out[one.from]?.push(one);
  }
  const { isFar, before, after } = aroundFar(session, places);
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
    const unit = Math.max(0, charge - unnamed);
    let most = (isFar[place] ? FAR : NEXT) * unit;
    for (const other of before[place] as Set<number>) most = Math.min(most, unit + charge * partAt(other));
    // Of those that are as good it is the largest where others may be no more than so much above it.
    const flat = after[place]?.size === 0 ? -FLAT : FLAT;
    let best = 0;
    if (slope < flat) {
      best = most;
      for (const kink of kinks.sort((a, b) => a.at - b.at)) {
        slope += kink.slope;
        if (slope < flat) continue;
        best = Math.min(most, kink.at);
        break;
      }
    }
    for (const other of after[place] as Set<number>) best = Math.max(best, charge * partAt(other) - unit);
    parts[place] = best / charge;
  };
  let lastHighest = 1;
  const earnedWith = (charge: number): number => {
    session.steps += SWEEPS * all.length;
    // Those of a larger charge may be too far above each other.
    const highest = 1 - unnamed / charge;
    if (highest < lastHighest) for (let place = 0; place < places.size; place++) parts[place]! *= highest / lastHighest;
    lastHighest = highest;
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

/** Which places are those of tokens to which no pool leads from the sold one, and between these and others. */
interface AroundFar {
  readonly isFar: readonly boolean[];
  /** By place of such a token those that pools lead from to it. */
  readonly before: readonly ReadonlySet<number>[];
  /** By place those of such tokens to which pools lead from it. */
  readonly after: readonly ReadonlySet<number>[];
}

function aroundFar(session: Session, places: ReadonlyMap<number, number>): AroundFar {
  const { start, to } = session.graph;
  const isFar = Array.from(places.keys(), (node) => session.hopsFromSource(node) > 1);
  const [before, after] = [0, 1].map(() => isFar.map(() => new Set<number>())) as [Set<number>[], Set<number>[]];
  for (const [node, place] of places) {
    if (!isFar[place]) continue;
    const end = session.endOf(node);
    session.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const other = places.get(to[slot] as number);
      if (other === undefined) continue;
      before[place]?.add(other);
      after[other]?.add(place);
    }
  }
  return { isFar, before, after };
}
