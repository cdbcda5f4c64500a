import type { Memory } from "../session/workspace.ts";
import type { FlowDual, FlowPoint } from "./flow-dual.ts";
import { entriesAt, solveGrounded } from "./linear.ts";

/** Working memory of steps. */
export function stepMemory({ nodes, from, to }: Pick<FlowDual, "nodes" | "from" | "to">, memory: Memory) {
  const size = nodes.length - 1;
  return {
    /** The slopes between two variables, row after row, and those of each to what stays. */
    between: memory.floats(size * size),
    ground: memory.floats(size),
    right: memory.floats(size + 1),
    entries: entriesAt(size, from, to, memory),
    /** By edge whether it is taken to carry. */
    carries: memory.ints(from.length),
    /** Buffers for the step, and the one that holds the solution. */
    steps: [memory.floats(size), memory.floats(size)] as const,
  };
}

/** A step down a flow's dual. Valid until the next one is worked out. */
export interface FlowStep {
  /** Amounts to subtract from each variable. */
  readonly step: Float64Array;
  /** Upper bound of the decrease of the dual by this step: the decrease at constant slope. */
  readonly promise: number;
}

/** Limit on updates of the set of edges that carry after the step. */
const MAX_ANSWERS = 8;
/** Part of what a step promises that edges may take from it that it makes worth it unforeseen. */
const SURPRISE = 0.2;
/** Least shift of an edge's log price ratio from which a slope is measured. */
const MIN_LIFT = 1e-9;
/** Part of a slope that is remembered where a curve may turn steep again. */
const REMEMBERED = 0.1;

/**
 * Newton's step from `here`, with the kinks on its way: an edge carries nothing until it is worth it, and no less than
 * nothing. Each edge is taken to carry a value that grows by its slope, from where it begins; a step is solved with the
 * Laplacian of those that carry, then with those that carry after it, until these are the same, but for what costs the step
 * a small part of what it promises. Where it costs more, the step goes on towards the one solved no further than where all
 * edges, as they are taken, leave least: going all the way, answers of many edges that begin at about the same prices can
 * follow each other in a circle. `trust`: how far a variable may go, about, in which nothing else stands in the way;
 * `least`: a slope that each variable has at least; `enough`: what a step has to promise to be looked at any further.
 */
export function flowStep(
  { from, to }: Pick<FlowDual, "from" | "to">,
  { gradient, carried, slopes }: Pick<FlowPoint, "gradient" | "carried" | "slopes">,
  { between, ground, right, entries, carries, steps }: ReturnType<typeof stepMemory>,
  trust: number,
  least: number,
  enough: number,
): FlowStep {
  const size = gradient.length - 1;
  const count = carried.length;
  const [step, next] = steps;
  step.fill(0);
  for (let i = 0; i < count; i++) carries[i] = (carried[i] as number) > 0 ? 1 : 0;
  for (let answer = 0; answer < MAX_ANSWERS; answer++) {
    for (let row = 0, a = size; row < size; row++) {
      ground[row] = Math.abs(gradient[row] as number) / trust + least;
      for (; a < (entries[row] as number); a++) between[row * size + (entries[a] as number)] = 0;
    }
    right.set(gradient);
    for (let i = 0; i < count; i++) {
      const value = carried[i] as number;
      const slope = slopes[i] as number;
      const a = from[i] as number;
      const b = to[i] as number;
      if (carries[i] === 0) {
        if (value <= 0) continue;
        right[a]! += value;
        right[b]! -= value;
        continue;
      }
      if (value < 0) {
        right[a]! -= slope * value;
        right[b]! += slope * value;
      }
      // Only what lies right of the diagonal is read.
      if (a === size) ground[b]! += slope;
      else if (b === size) ground[a]! += slope;
      else between[a < b ? a * size + b : b * size + a]! += slope;
    }
    solveGrounded(between, ground, right, size, next, entries);
    const promise = dot(gradient, next, size);
    let surprise = 0;
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const slope = slopes[i] as number;
      const lift = (a < size ? (next[a] as number) : 0) - (b < size ? (next[b] as number) : 0);
      const value = carried[i] as number;
      const after = (value > 0 ? value : slope * value) + slope * lift;
      const now = after > 0 ? 1 : 0;
      if (now > (carries[i] as number) && slope > 0) surprise += (after * after) / (2 * slope);
    }
    const isForeseen = surprise <= SURPRISE * promise;
    const part = isForeseen ? 1 : lowestOnTheWay();
    for (let slot = 0; slot < size; slot++) step[slot]! += part * ((next[slot] as number) - (step[slot] as number));
    if (isForeseen || promise <= enough) break;
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const slope = slopes[i] as number;
      const lift = (a < size ? (step[a] as number) : 0) - (b < size ? (step[b] as number) : 0);
      const value = carried[i] as number;
      carries[i] = (value > 0 ? value : slope * value) + slope * lift > 0 ? 1 : 0;
    }
  }
  return { step, promise: dot(gradient, step, size) };

  /** Point between `step` and `next` at which the piecewise model is least. */
  function lowestOnTheWay(): number {
    const kinks: Kink[] = [];
    let down = 0;
    let bend = 0;
    for (let slot = 0; slot < size; slot++) {
      const by = (next[slot] as number) - (step[slot] as number);
      const held = Math.abs(gradient[slot] as number) / trust + least;
      down += by * (held * (step[slot] as number) - (gradient[slot] as number));
      bend += held * by * by;
    }
    for (let i = 0; i < count; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const slope = slopes[i] as number;
      const value = carried[i] as number;
      const lift = (a < size ? (step[a] as number) : 0) - (b < size ? (step[b] as number) : 0);
      const by = (a < size ? (next[a] as number) : 0) - (b < size ? (next[b] as number) : 0) - lift;
      const now = (value > 0 ? value : slope * value) + slope * lift;
      const more = slope * by;
      down += (Math.max(0, now) - Math.max(0, value)) * by;
      if (now > 0) bend += more * by;
      if (now > 0 ? now + more < 0 : now + more > 0)
        kinks.push({ at: -now / more, bend: now > 0 ? -more * by : more * by });
    }
    return lowestAt(down, bend, kinks);
  }
}

function dot(a: Float64Array, b: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/**
 * Makes the slopes of `here` as steep as it takes to tell what edges carry at `there`, which lies so far down a step: those
 * of all edges after a step that went too far; after another those of curves that are no hyperbola, whose slope in one
 * place tells little of the next one, and which were steep a moment ago.
 */
export function steepen(
  { from, to, depth }: FlowDual,
  here: FlowPoint,
  there: FlowPoint,
  { step }: FlowStep,
  far: number,
  isTooFar: boolean,
): void {
  const last = here.gradient.length - 1;
  for (let i = 0; i < here.slopes.length; i++) {
    if (!isTooFar && (depth[i] as number) > 0) continue;
    const a = from[i] as number;
    const b = to[i] as number;
    const lift = far * ((a < last ? (step[a] as number) : 0) - (b < last ? (step[b] as number) : 0));
    if (Math.abs(lift) < MIN_LIFT) continue;
    const before = here.carried[i] as number;
    const after = Math.max(0, there.carried[i] as number);
    let steep = isTooFar ? 0 : REMEMBERED * (there.slopes[i] as number);
    if (before > 0) steep = Math.max(steep, (after - before) / lift);
    else if (after > 0) steep = Math.max(steep, after / Math.max(MIN_LIFT, before + lift));
    if (steep > (here.slopes[i] as number)) here.slopes[i] = steep;
  }
}

/** A place from which on a slope grows by more, or by less. */
interface Kink {
  readonly at: number;
  readonly bend: number;
}

/**
 * Point between 0 and 1 at which a convex function is least. Its slope is `slope` at 0, negative, and grows by `bend`,
 * changed by its kinks, which this sorts.
 */
function lowestAt(slope: number, bend: number, kinks: Kink[]): number {
  kinks.sort((a, b) => a.at - b.at);
  let at = 0;
  for (const kink of kinks) {
    const after = slope + bend * (kink.at - at);
    if (after >= 0) break;
    slope = after;
    bend += kink.bend;
    at = kink.at;
  }
  return Math.max(0, Math.min(1, at - slope / bend));
}
