import type { Edge } from "../edges/edges.ts";
import { COARSE } from "../flow/producers.ts";
import type { PlannedTree } from "./execution.ts";
import { givenAfter, type Moved, takenAfter } from "./sell-amount.ts";

/** A tree before shares are known: what it gives, in floats. */
export interface Branch {
  readonly pool: PlannedTree["pool"];
  readonly direction: PlannedTree["direction"];
  /** None of a wrapper, which takes what it gives. */
  readonly edge: Edge | undefined;
  readonly gives: number;
  /** In the order in which they are carried out. */
  readonly inputs: readonly Branch[];
  /** The units of what it takes that pay what it gives, where these are whole. */
  readonly units?: number;
}

/** A branch with what it takes, in floats, behind those before it. */
interface Touch {
  readonly branch: Branch;
  readonly takes: number;
  readonly before: Moved;
  readonly inputs: readonly Touch[];
  /** What it gives, as a part of all that is bought. */
  readonly part: number;
  /** Whether only touches in whole units make what it takes, none of them of finer ones than its own. */
  readonly isFed: boolean;
  /** The units that say what it gives: its own, or those of what it is fed by; undefined where they are too fine to count. */
  readonly counts: number | undefined;
  /** Part by which it may take more than that: shares are parts of 10^9, and amounts above it are rounded up. */
  readonly missed: number;
}

/** What a unit of all touches is worth together, as a part of what is bought, from which on it counts. */
const VISIBLE = 1e-6;
/** Rounds after which units stay where they are: what a touch takes depends on those before it in its pool. */
const ROUNDS = 3;
/** What a share may miss, as a part of what is wanted, and base units by which rounding may raise what a touch gives. */
const SHARE = 1e-9;
const RAISED = 2;
/** Part of an amount from which on a touch can give what others do not. */
const LARGE = 0.01;
/** Part of a unit that is spared at most for that. */
const HALF = 0.5;

/**
 * The same trees, for an amount to buy, with touches that take whole base units where one counts, and give all that these
 * pay; so do those that only such touches serve. All that take a token together take as many units as before, about. What is
 * then missing or over is made by others that serve the same one, or else by the one that takes the finest units.
 */
export function inWholeTouches(legs: readonly Branch[], buyAmount: number): readonly Branch[] {
  // A flow that pays more than that, since it sells a base unit at least, keeps its units.
  const amount = Math.max(
    buyAmount,
    sumOf(legs, ({ gives }) => gives),
  );
  let current = legs;
  for (let round = 0; round < ROUNDS; round++) {
    const touches = carriedOut(current, amount);
    const free = freeTouches(touches);
    if (round === 0 && sumOf(free, ({ part, takes }) => part / takes) <= VISIBLE) return legs;
    const units = wholeUnits(free);
    current = touches.map((touch) => inUnits(touch, units)).filter(({ gives }) => gives > 0);
    if (current.length === 0) return legs;
  }
  return carriedOut(current, amount).map(branchOf);
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

function branchOf({ branch, inputs }: Touch): Branch {
  return { ...branch, inputs: inputs.map(branchOf) };
}

/** Branches that give an amount together, and what each touch takes, in the order in which they are carried out. */
function carriedOut(legs: readonly Branch[], amount: number): Touch[] {
  const moved = new Map<Edge, Moved>();
  const walk = (branch: Branch, wanted: number, partOfAll: number, missedAbove: number): Touch => {
    const { edge, gives } = branch;
    const before = (edge && moved.get(edge)) ?? { given: 0, taken: 0 };
    const takes = edge === undefined ? gives : takenAfter(edge, before, gives);
    if (edge !== undefined) moved.set(edge, { given: before.given + gives, taken: before.taken + takes });
    const missed = missedAbove + (SHARE * wanted + RAISED) / gives;
    const part = (partOfAll * gives) / wanted;
    const inputs = dealt(branch.inputs, takes).map((one) => walk(one, takes, part, missed));
    const isFed = inputs.length > 0 && inputs.every(({ counts }) => counts !== undefined && counts <= takes);
    const own = takes < COARSE ? takes : undefined;
    const counts = isFed ? Math.min(...inputs.map((one) => one.counts as number)) : own;
    return { branch, takes, before, inputs, part, missed, isFed, counts };
  };
  return dealt(legs, amount).map((leg) => walk(leg, amount, 1, 0));
}

/** The same branches, whole ones first, with what those behind have to give for all to give an amount. */
function dealt(branches: readonly Branch[], amount: number): readonly Branch[] {
  if (branches.length === 0) return branches;
  const whole = branches.filter(({ units }) => units !== undefined);
  if (whole.length === branches.length) {
    const large = whole.filter(({ gives }) => gives >= LARGE * amount);
    const finest = (large.length > 0 ? large : whole).reduce((least, one) =>
      unitOf(one) < unitOf(least) ? one : least,
    );
    whole.splice(whole.indexOf(finest), 1);
  }
  const others = whole.length === 0 ? branches : branches.filter((one) => !whole.includes(one));
  const line: Branch[] = [];
  let left = amount;
  for (const one of whole) {
    if (one.gives >= left) return [...line, { ...one, gives: left }];
    line.push(one);
    left -= one.gives;
  }
  const ratio = left / sumOf(others, ({ gives }) => gives);
  return [...line, ...others.map((one) => ({ ...one, gives: one.gives * ratio }))];
}

/** What a unit gives of those that a branch takes. */
function unitOf({ gives, units = Number.POSITIVE_INFINITY }: Branch): number {
  return gives / units;
}

/** The touches whose units count, and may be any number. */
function freeTouches(touches: readonly Touch[]): readonly Touch[] {
  return touches.flatMap((touch) => {
    const below = freeTouches(touch.inputs);
    return touch.takes < COARSE && !touch.isFed ? [...below, touch] : below;
  });
}

/** Units for touches that may take any number of them: those next to what they take; the largest take what is over. */
function wholeUnits(free: readonly Touch[]): ReadonlyMap<Touch, number> {
  const units = new Map(free.map((touch) => [touch, Math.round(touch.takes)]));
  for (const own of Map.groupBy(free, ({ branch: { pool, direction } }) => pool.tokens[direction.sell]).values()) {
    own.sort((a, b) => b.takes - a.takes);
    let over = Math.round(sumOf(own, ({ takes }) => takes)) - sumOf(own, (touch) => units.get(touch) as number);
    for (const touch of own) {
      if (over === 0) break;
      const before = units.get(touch) as number;
      const after = Math.max(0, before + Math.sign(over));
      units.set(touch, after);
      over -= after - before;
    }
  }
  return units;
}

/** The branch of a touch that gives all that its units pay, where it is whole; 0 where it has none. */
function inUnits(touch: Touch, units: ReadonlyMap<Touch, number>): Branch {
  const { branch, before, missed } = touch;
  const inputs = touch.inputs.map((one) => inUnits(one, units)).filter(({ gives }) => gives > 0);
  if (touch.counts === undefined) return { ...branch, inputs };
  const isCoarse = touch.takes < COARSE;
  const fed = sumOf(inputs, ({ gives }) => gives);
  const most = units.get(touch) ?? (isCoarse ? Math.floor(fed) : fed);
  const takes = isCoarse ? most - Math.min(HALF, missed * most) : most;
  if (takes <= 0) return { ...branch, inputs: [], gives: 0 };
  const gives = branch.edge === undefined ? takes : givenAfter(branch.edge, before, takes);
  return { ...branch, inputs, gives, units: takes };
}
