import type { Session } from "../session/session.ts";
import { crossingTies, type Tie } from "./ties.ts";

/**
 * What a multiplier counts for that goes beyond its limit. Within it one more of a multiplier brings no more than a touch:
 * as much again leaves the best ones at their limits.
 */
const HEAVY = 2;

/** What the limits of ties' multipliers add to a dual, as a function of its variables. */
export interface TieLimits {
  /** What multipliers beyond their limits count for; adds its slopes to a gradient. */
  measure(at: Float64Array, gradient: Float64Array): number;
  /** Adds the bends of the limits, where was measured last, to a matrix with as many rows as there are variables. */
  addBends(matrix: Float64Array): void;
}

/**
 * An edge that earns nothing would earn by a multiplier beyond its charge, or by two, of a tie out of the token that it leads
 * from and of one into the one that it leads to; there are too many of those to be looked at. So no two multipliers m and m'
 * of ties that ask for the same edges may be more than the charge c together: beyond that, they count for
 * `HEAVY` * max(0, m + m' - c), its kink rounded by `half` a width. A tie that crosses none has its multiplier limited alone.
 * The variables of ties begin at `first`, behind that of the charge, all in the `unit` that the charge has.
 */
export function tieLimits(
  session: Session,
  ties: readonly Tie[],
  first: number,
  unit: number,
  half: number,
): TieLimits {
  const chargeAt = first - 1;
  /** The variables of each limit: those of one tie or of two, then that of the charge. */
  const limits = crossingTies(session, ties).flatMap((others, k) =>
    others.length === 0
      ? [[first + k, chargeAt]]
      : others.filter((other) => other > k).map((other) => [first + k, first + other, chargeAt]),
  );
  const size = first + ties.length;
  const signOf = (variable: number) => (variable === chargeAt ? -1 : 1);
  const bends = new Float64Array(limits.length);
  return {
    measure(at, gradient) {
      let value = 0;
      limits.forEach((variables, n) => {
        const over = unit * variables.reduce((sum, one) => sum + signOf(one) * (at[one] as number), 0);
        const part = Math.max(0, Math.min(1, (over + half) / (2 * half)));
        bends[n] = part > 0 && part < 1 ? (HEAVY * unit * unit) / (2 * half) : 0;
        if (part === 0) return;
        value += HEAVY * (part === 1 ? over : half * part * part);
        for (const one of variables) gradient[one]! += HEAVY * part * unit * signOf(one);
      });
      return value;
    },
    addBends(matrix) {
      limits.forEach((variables, n) => {
        const bend = bends[n] as number;
        if (bend === 0) return;
        for (const a of variables) for (const b of variables) matrix[a * size + b]! += signOf(a) * signOf(b) * bend;
      });
    },
  };
}
