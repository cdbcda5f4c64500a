import type { Edge } from "../edges/edges.ts";
import { leastMet } from "./golden-section.ts";

/**
 * What one that takes what a pool makes may have of it: lengths, by how much that makes the logarithm of what the pool holds
 * fall, and at least what it loses by them, in bought units. Both rise; between two of them it loses no less than in proportion.
 */
export interface Part {
  readonly slot: number;
  /** Units that come to it for each that the pool makes for it, at the least. */
  readonly ratio: number;
  readonly lengths: Float64Array;
  readonly losses: Float64Array;
}

/** A constant product that keeps its fee, at some prices, and slopes that tell much of what it earns in parts. */
export interface PartedPool {
  /** What is left of a unit that is sold after the fee. */
  readonly share: number;
  /** What it holds of the token that it buys, in bought units. */
  readonly bought: number;
  /** The logarithm by which that falls in one touch where it earns most, and the most that it falls. */
  readonly best: number;
  readonly longest: number;
  /** What it holds then, in base units. */
  readonly left: number;
  /** What it costs, in bought units, to move what it holds of the token that it sells by a unit of the logarithm. */
  readonly sellSlope: number;
  /** What it has to spare at that slope where nothing is sold. */
  readonly spared: number;
  /** Parts of no more than this length earn nothing as long as a unit of it is worth no more than `steepest`. */
  readonly small: number;
  readonly steepest: number;
}

/** Part of the most that a pool falls that is a small one. */
const SMALL = 0.05;
/** How far between one touch and parts without end its slope is taken. */
const BETWEEN = 0.4;
/** How often the other slope is set anew. */
const PACE = { rounds: 10, close: 0 };

/** An edge as such a pool, that sells no more than `most`. */
export function partedPool(
  { spot, depth, curve }: Edge,
  sellPrice: number,
  buyPrice: number,
  most: number,
): PartedPool {
  const share = 1 - (curve.keptFee as number);
  const sold = depth * share * sellPrice;
  const stretch = 1 + most / depth;
  const longest = Math.log(stretch);
  const best = Math.log((spot * buyPrice) / sellPrice) / 2;
  const whole = movedBy(best, share);
  const moved = whole + BETWEEN * (best / share - whole);
  const sellSlope = sold * Math.exp(moved);
  const small = SMALL * longest;
  return {
    share,
    bought: spot * depth * buyPrice,
    best,
    longest,
    left: (spot * depth) / stretch,
    sellSlope,
    spared: sellSlope * moved - sold * Math.expm1(moved),
    small,
    steepest: (sellSlope * movedBy(small, share)) / small,
  };
}

/** By how much the logarithm of what is sold rises where that of what is bought falls by a length in one touch. */
function movedBy(length: number, share: number): number {
  return Math.log1p(Math.expm1(length) / share);
}

/** Whether a part may be worth more than it costs and loses. */
export function isOfUse({ share, sellSlope, steepest }: PartedPool, { lengths, losses }: Part): boolean {
  return lengths.some((length, k) => steepest * length - sellSlope * movedBy(length, share) > (losses[k] as number));
}

/**
 * At least what a pool earns in parts, less what those lose that have them: these, and any number of small ones.
 *
 * It holds x of the token that it sells and y of the one that it buys. A touch that makes y smaller by a factor e^u makes x
 * larger by e^g(u) = 1 + (e^u - 1) / (1 - fee), whatever came before. So all touches together sell x * (e^V - 1) and buy y *
 * (1 - e^-U), where U is the sum of u, and V that of g(u). The former is no less than its tangent at any V, the latter no more
 * than that at any U: with a and b for their slopes, in value, the pool earns no more than what is between the tangents where
 * U and V are 0, and the sum over parts of b * u - a * g(u). Of that each part has the most that it can after what it loses:
 * since g is concave, at a length up to which it loses as much. Small ones have nothing as long as b is no more than a * g(u)
 * / u for the longest of them. Any a and b tell something true; what they tell is convex in b.
 */
export function earnedInParts(
  { share, bought, sellSlope, spared, steepest }: PartedPool,
  parts: readonly Part[],
): number {
  const costs = parts.map(({ lengths, losses }) =>
    lengths.map((length, k) => sellSlope * movedBy(length, share) + (losses[k] as number)),
  );
  const earnedAt = (slope: number): number => {
    let earned = spared + bought - slope * (1 + Math.log(bought / slope));
    for (let i = 0; i < parts.length; i++) {
      const { lengths } = parts[i] as Part;
      const cost = costs[i] as Float64Array;
      let most = 0;
      for (let k = 0; k < lengths.length; k++)
        most = Math.max(most, slope * (lengths[k] as number) - (cost[k] as number));
      earned += most;
    }
    return earned;
  };
  return leastMet(Math.log(sellSlope), Math.log(steepest), PACE, (log) => earnedAt(Math.exp(log)));
}
