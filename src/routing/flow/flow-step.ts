import type { Memory } from "../session/workspace.ts";
import type { FlowDual, FlowPoint } from "./flow-dual.ts";
import { type Entries, entriesAt, solveGrounded } from "./linear.ts";

/** Limit on updates of the set of edges that carry after the step. */
const MAX_ANSWERS = 8;
/** Part of what a step promises that edges may take from it that it makes worth it unforeseen. */
const SURPRISE = 0.2;
/** Least shift of an edge's log price ratio from which a slope is measured. */
const MIN_LIFT = 1e-9;
/** Part of a slope that is remembered where a curve may turn steep again. */
const REMEMBERED = 0.1;

/**
 * Newton's steps down a flow's dual, with the kinks on their way: an edge carries nothing until it is worth it, and no less
 * than nothing. Each edge is taken to carry a value that grows by its slope, from where it begins; a step is solved with the
 * Laplacian of those that carry, then with those that carry after it, until these are the same, but for what costs the step
 * a small part of what it promises. Where it costs more, the step goes on towards the one solved no further than where all
 * edges, as they are taken, leave least: going all the way, answers of many edges that begin at about the same prices can
 * follow each other in a circle.
 */
export class FlowStep {
  /** Amounts to subtract from each variable, and 0. */
  readonly step: Float64Array;
  /** Upper bound of the decrease of the dual by this step: the decrease at constant slope. */
  promise = 0;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #entries: Entries;
  /** The slopes between two variables, row after row, and those of each to what stays. */
  readonly #between: Float64Array;
  readonly #ground: Float64Array;
  readonly #held: Float64Array;
  readonly #right: Float64Array;
  /** The step that is solved last. */
  readonly #next: Float64Array;
  /** By edge the value that it is taken to carry before and after the step; less than nothing where it carries nothing. */
  readonly #before: Float64Array;
  readonly #after: Float64Array;

  constructor({ nodes, from, to }: Pick<FlowDual, "nodes" | "from" | "to">, memory: Memory) {
    const size = nodes.length - 1;
    this.#from = from;
    this.#to = to;
    this.#entries = entriesAt(size, from, to, memory);
    this.#between = memory.floats(size * size);
    this.#ground = memory.floats(size);
    this.#held = memory.floats(size);
    this.#right = memory.floats(size + 1);
    this.step = memory.floats(size + 1);
    this.#next = memory.floats(size + 1);
    this.#before = memory.floats(from.length);
    this.#after = memory.floats(from.length);
  }

  /**
   * Works out the step from a point. `trust`: how far a variable may go, about, in which nothing else stands in the way;
   * `least`: a slope that each variable has at least; `enough`: what a step has to promise to be looked at any further.
   */
  solve(point: Pick<FlowPoint, "gradient" | "carried" | "slopes">, trust: number, least: number, enough: number): void {
    const { gradient, carried, slopes } = point;
    const [from, to, step, next] = [this.#from, this.#to, this.step, this.#next];
    const [held, before, after] = [this.#held, this.#before, this.#after];
    const size = held.length;
    step.fill(0);
    next[size] = 0;
    for (let slot = 0; slot < size; slot++) held[slot] = Math.abs(gradient[slot] as number) / trust + least;
    for (let i = 0; i < from.length; i++) {
      const value = carried[i] as number;
      before[i] = value > 0 ? value : (slopes[i] as number) * value;
      after[i] = before[i] as number;
    }
    for (let answer = 0; answer < MAX_ANSWERS; answer++) {
      this.#solveNext(gradient, slopes);
      const promise = dot(gradient, next, size);
      let surprise = 0;
      for (let i = 0; i < from.length; i++) {
        const slope = slopes[i] as number;
        const lift = (next[from[i] as number] as number) - (next[to[i] as number] as number);
        const carries = (before[i] as number) + slope * lift;
        if (carries > 0 && !((after[i] as number) > 0) && slope > 0) surprise += (carries * carries) / (2 * slope);
      }
      const isForeseen = surprise <= SURPRISE * promise;
      const part = isForeseen ? 1 : this.#lowestOnTheWay(gradient, slopes);
      for (let slot = 0; slot < size; slot++) step[slot]! += part * ((next[slot] as number) - (step[slot] as number));
      if (isForeseen || promise <= enough) break;
      for (let i = 0; i < from.length; i++) {
        const lift = (step[from[i] as number] as number) - (step[to[i] as number] as number);
        after[i] = (before[i] as number) + (slopes[i] as number) * lift;
      }
    }
    this.promise = dot(gradient, step, size);
  }

  /** Solves for the step at which the edges that are taken to carry, and no others, balance each token. */
  #solveNext(gradient: Float64Array, slopes: Float64Array): void {
    const [from, to, before, after] = [this.#from, this.#to, this.#before, this.#after];
    const [between, ground, right, entries] = [this.#between, this.#ground, this.#right, this.#entries];
    const size = ground.length;
    for (let row = 0, a = size; row < size; row++)
      for (; a < (entries[row] as number); a++) between[row * size + (entries[a] as number)] = 0;
    ground.set(this.#held);
    right.set(gradient);
    for (let i = 0; i < from.length; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const value = before[i] as number;
      const carries = (after[i] as number) > 0;
      if (value > 0 !== carries) {
        right[a]! += Math.abs(value);
        right[b]! -= Math.abs(value);
      }
      if (!carries) continue;
      const slope = slopes[i] as number;
      // Only what lies right of the diagonal is read.
      if (a === size) ground[b]! += slope;
      else if (b === size) ground[a]! += slope;
      else between[a < b ? a * size + b : b * size + a]! += slope;
    }
    solveGrounded(between, ground, right, size, this.#next, entries);
  }

  /** Part of the way from the step to the one solved last at which the edges, as they are taken, leave least. */
  #lowestOnTheWay(gradient: Float64Array, slopes: Float64Array): number {
    const [from, to, step, next] = [this.#from, this.#to, this.step, this.#next];
    const [held, before, after] = [this.#held, this.#before, this.#after];
    const kinks: Kink[] = [];
    let down = 0;
    let bend = 0;
    for (let slot = 0; slot < held.length; slot++) {
      const by = (next[slot] as number) - (step[slot] as number);
      down += by * ((held[slot] as number) * (step[slot] as number) - (gradient[slot] as number));
      bend += (held[slot] as number) * by * by;
    }
    for (let i = 0; i < from.length; i++) {
      const a = from[i] as number;
      const b = to[i] as number;
      const lift = (step[a] as number) - (step[b] as number);
      const by = (next[a] as number) - (next[b] as number) - lift;
      const now = after[i] as number;
      const more = (slopes[i] as number) * by;
      down += (Math.max(0, now) - Math.max(0, before[i] as number)) * by;
      if (now > 0) bend += more * by;
      if (now > 0 ? now + more < 0 : now + more > 0)
        kinks.push({ at: -now / more, bend: now > 0 ? -more * by : more * by });
    }
    return lowestAt(down, bend, kinks);
  }

  /**
   * Makes the slopes of `here` as steep as it takes to tell what edges carry at `there`, which lies so far down a step: those
   * of all edges after a step that went too far; after another those of curves that are no hyperbola, whose slope in one
   * place tells little of the next one, and which were steep a moment ago.
   */
  steepen({ depth }: FlowDual, here: FlowPoint, there: FlowPoint, far: number, isTooFar: boolean): void {
    const [from, to, step] = [this.#from, this.#to, this.step];
    for (let i = 0; i < from.length; i++) {
      if (!isTooFar && (depth[i] as number) > 0) continue;
      const lift = far * ((step[from[i] as number] as number) - (step[to[i] as number] as number));
      if (Math.abs(lift) < MIN_LIFT) continue;
      const before = here.carried[i] as number;
      const after = Math.max(0, there.carried[i] as number);
      let steep = isTooFar ? 0 : REMEMBERED * (there.slopes[i] as number);
      if (before > 0) steep = Math.max(steep, (after - before) / lift);
      else if (after > 0) steep = Math.max(steep, after / Math.max(MIN_LIFT, before + lift));
      if (steep > (here.slopes[i] as number)) here.slopes[i] = steep;
    }
  }
}

function dot(a: Float64Array, b: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
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
