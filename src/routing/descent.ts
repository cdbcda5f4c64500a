import type { PaidDual } from "./paid-dual.ts";

/** A dual to be minimised. */
export interface Slope {
  readonly dual: PaidDual;
  /** Between what the variables stay. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Whether this value, there, is as little as anybody asks for. */
  readonly isEnough: (value: number, at: Float64Array) => boolean;
  /** Whether a step that promises this is not worth taking. */
  readonly isClose: (promise: number, at: Float64Array) => boolean;
  readonly over: () => boolean;
}

/** Where a descent ended; the dual has been measured there last. */
export interface Bottom {
  readonly value: number;
  readonly at: Float64Array;
}

export const MOST_ROUNDS = 25;
/** How often a step that does not lead down is made shorter. */
export const ATTEMPTS = 8;
/** How far the first step may go in any variable; the next ones twice as far each, or a quarter as far after a bad one. */
export const FIRST_TRUST = 0.1;
export const LONGEST_STEP = 3;

/** Newton steps, each a quarter as long until it leads down. */
export function descend({ dual, least, most, isEnough, isClose, over }: Slope, from: Float64Array): Bottom {
  const { gradient } = dual;
  let at = from;
  let value = dual.measure(at);
  let trust = FIRST_TRUST;
  const trusted = new Float64Array(at.length);
  for (let round = 0; round < MOST_ROUNDS && !over(); round++) {
    const step = dual.steps(at, least, most)(trusted.fill(trust));
    if (isClose(promiseOf(step, gradient), at) || isEnough(value, at)) break;
    const length = step.reduce((longest, one) => Math.max(longest, Math.abs(one)), 0);
    let fraction = length > LONGEST_STEP ? LONGEST_STEP / length : 1;
    const before = value;
    let moved = false;
    for (let attempt = 0; attempt < ATTEMPTS && !moved; attempt++) {
      const next = at.map((one, i) =>
        Math.max(least[i] as number, Math.min(most[i] as number, one - fraction * (step[i] as number))),
      );
      value = dual.measure(next);
      moved = value < before;
      if (moved) at = next;
      else fraction /= 4;
    }
    trust = fraction === 1 ? Math.min(LONGEST_STEP, 2 * trust) : trust / 4;
    if (moved) continue;
    value = dual.measure(at);
    break;
  }
  return { value, at };
}

/** By how much a step would lead down if the slope stayed as it is. */
export function promiseOf(step: Float64Array, gradient: Float64Array): number {
  return step.reduce((sum, one, i) => sum + one * (gradient[i] as number), 0);
}
