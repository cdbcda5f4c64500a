import { profitsOf } from "../bound/earner.ts";
import { leastOfLargest } from "../bound/largest.ts";
import type { Measured, PriceProof } from "../bound/measure.ts";
import type { Session } from "../session/session.ts";
import { leastMet } from "./golden-section.ts";

/** How often the charge is set anew, and how close to the best one, as a part. */
const PACE = { rounds: 24, close: 0.03 };
/** How many times the charge of the last pool that may be touched, and how small a part of it, is tried. */
const WIDEST = 64;
/** How often all multipliers are set in turn for a charge. */
const SWEEPS = 3;
/** How many charges a multiplier may be at most of tokens to which no pool leads from the sold one, and of others. */
const [FAR, NEXT] = [2, 1];

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
  if ((1 + FAR) * earners.length <= maxFills) return proof;
  const profits = profitsOf(earners);
  const places = new Map<number, number>();
  const into: number[][] = [];
  const out: number[][] = [];
  /** The place of a token; none of the ends, whose multiplier is 0, at -1. */
  const placeOf = (node: number): number => {
    if (node === source || node === sink) return -1;
    const known = places.get(node);
    if (known !== undefined) return known;
    places.set(node, into.length);
    out.push([]);
    return into.push([]) - 1;
  };
  const from = Int32Array.from(earners, ({ slot }) => placeOf(graph.from[slot] as number));
  const to = Int32Array.from(earners, ({ slot }) => placeOf(graph.to[slot] as number));
  for (let i = 0; i < profits.length; i++) {
    into[to[i] as number]?.push(i);
    out[from[i] as number]?.push(i);
  }
  const { isFar, before, after } = aroundFar(session, places);
  /** The multipliers as parts of the charge. */
  const parts = new Float64Array(places.size);
  const partAt = (place: number): number => (place === -1 ? 0 : (parts[place] as number));
  const kinks = new Float64Array(profits.length);
  /** Sets the multiplier of one token where the sum is least. */
  const settle = (place: number, charge: number): void => {
    const unit = Math.max(0, charge - unnamed);
    let most = (isFar[place] ? FAR : NEXT) * unit;
    for (const other of before[place] as Set<number>) most = Math.min(most, unit + charge * partAt(other));
    /** By how many edges the sum falls at 0; each kink takes one off, and those beyond `most` are none. */
    let down = 0;
    let count = 0;
    for (const i of out[place] as number[]) {
      const over = (profits[i] as number) - charge * (1 - partAt(to[i] as number));
      if (over <= 0) continue;
      down++;
      if (over < most) kinks[count++] = over;
    }
    for (const i of into[place] as number[]) {
      const short = charge * (1 + partAt(from[i] as number)) - (profits[i] as number);
      if (short < 0) down--;
      else if (short < most) kinks[count++] = short;
    }
    // Of those that are as good it is the largest where others may be no more than so much above it.
    const passed = after[place]?.size === 0 ? down : down + 1;
    let best = 0;
    if (passed > 0) best = passed > count ? most : leastOfLargest(kinks, count - passed + 1, count);
    for (const other of after[place] as Set<number>) best = Math.max(best, charge * partAt(other) - unit);
    parts[place] = best / charge;
  };
  let lastHighest = 1;
  const earnedWith = (charge: number): number => {
    session.steps += SWEEPS * profits.length;
    // Those of a larger charge may be too far above each other.
    const highest = 1 - unnamed / charge;
    if (highest < lastHighest) for (let place = 0; place < places.size; place++) parts[place]! *= highest / lastHighest;
    lastHighest = highest;
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (let place = 0; place < places.size; place++) settle(place, charge);
    let earned = maxFills * charge;
    for (let i = 0; i < profits.length; i++)
      earned += Math.max(
        0,
        (profits[i] as number) - charge * (1 + partAt(from[i] as number) - partAt(to[i] as number)),
      );
    return earned;
  };
  const last = leastOfLargest(profits.slice(), Math.min(maxFills, profits.length));
  const [low, high] = [Math.max(2 * unnamed, last / WIDEST), last * WIDEST].map(Math.log) as [number, number];
  const earned = leastMet(low, high, PACE, (log) => earnedWith(Math.exp(log)));
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
