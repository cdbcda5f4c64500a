import { entriesAt, solvePositive } from "./linear.ts";

/** A dual as a function of its variables. */
export interface Dual {
  readonly gradient: Float64Array;
  /** The dual's value; leaves the gradient behind, and the slopes. */
  measure(at: Float64Array): number;
  /**
   * The Newton step down from where was measured last, as far as `trust` goes in every variable, about. `reach`: how far a
   * step is taken to go; what only counts behind a kink within that may be counted as a slope before.
   */
  step(at: Float64Array, trust: number, reach: number): Float64Array;
}

/** A dual to be minimised. */
export interface Slope {
  readonly dual: Dual;
  /** Whether a step that promises this is not worth taking. */
  readonly isClose: (promise: number, at: Float64Array) => boolean;
  readonly over: () => boolean;
}

/** End point of a descent, at which the dual was measured last. */
export interface Bottom {
  readonly value: number;
  readonly at: Float64Array;
}

const MAX_ROUNDS = 25;
/** Limit on shortenings of a step that does not lead down. */
const ATTEMPTS = 8;
/** Trust radius of the first step in any variable; doubles after each good step, a quarter after a bad one. */
const FIRST_TRUST = 0.1;
const LONGEST_STEP = 3;
/** Assumed reach of the first step, and the most it may shrink in one step: the descent could jump back otherwise. */
const FIRST_REACH = 0.03;
const SLOWEST = 3;

/** Newton steps, each a quarter as long until it leads down. */
export function descend({ dual, isClose, over }: Slope, from: Float64Array): Bottom {
  const { gradient } = dual;
  let at = from;
  let value = dual.measure(at);
  let trust = FIRST_TRUST;
  let reach = FIRST_REACH;
  for (let round = 0; round < MAX_ROUNDS && !over(); round++) {
    const step = dual.step(at, trust, reach);
    const promise = step.reduce((sum, one, i) => sum + one * (gradient[i] as number), 0);
    if (isClose(promise, at)) break;
    const length = step.reduce((longest, one) => Math.max(longest, Math.abs(one)), 0);
    let fraction = length > LONGEST_STEP ? LONGEST_STEP / length : 1;
    reach = Math.max(reach / SLOWEST, Math.min(reach, length));
    const before = value;
    let moved = false;
    for (let attempt = 0; attempt < ATTEMPTS && !moved; attempt++) {
      const next = at.map((one, i) => one - fraction * (step[i] as number));
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

/** The Newton step of a dual with this gradient and these slopes, which are overwritten; all variables go about as far as `trust`. */
export function newtonStep(hessian: Float64Array, gradient: Float64Array, trust: number): Float64Array {
  const size = gradient.length;
  for (let i = 0; i < size; i++) hessian[i * size + i]! += Math.abs(gradient[i] as number) / trust;
  const [from, to]: [number[], number[]] = [[], []];
  for (let i = 0; i < size; i++)
    for (let other = i + 1; other < size; other++)
      if (hessian[i * size + other] !== 0) {
        from.push(i);
        to.push(other);
      }
  return solvePositive(hessian, gradient, size, new Float64Array(size), entriesAt(size, from, to));
}
