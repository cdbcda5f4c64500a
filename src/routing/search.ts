import { proveAtFirst } from "./bound.ts";
import { choosePools } from "./choose-pools.ts";
import { type Column, findColumns, type Spreading } from "./columns.ts";
import { crowdedFlow } from "./crowd.ts";
import type { Edge } from "./edges.ts";
import { fillUp } from "./fill-up.ts";
import {
  amountOf,
  type Goal,
  gasInBought,
  gasOf,
  isBetter,
  isShort,
  netOf,
  openAbove,
  priceOf,
  resize,
} from "./goal.ts";
import { greedyFill } from "./greedy-fill.ts";
import type { PriceProof } from "./measure.ts";
import { fillsTaken, prune, uncrowd } from "./prune.ts";
import { isHopeless, type Relaxed, relax, resting } from "./relax.ts";
import { withoutCycles } from "./repair.ts";
import { closeEnough, type Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { startingFlow } from "./starting-flow.ts";
import { connected, supportOf, tooFar } from "./support.ts";
import { placeOf } from "./touches.ts";

export interface SearchOutcome {
  /** Flows worth evaluating in integers, the most promising last. The first is the best single path. */
  readonly found: readonly Settled[];
  /** The trade without gas and without limits of shape. */
  readonly relaxed: Relaxed;
  /** What the prices of that trade prove of this one. */
  readonly proof: PriceProof;
}

/** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
const PARCELS = [0.05, 0.001];
/** Columns taken in at once. */
const COLUMNS_AT_ONCE = 40;
/** How many times fewer are tried where those do not help together. */
const FEWER = 4;
/** Rounds of columns of one parcel size. */
const MOST_ROUNDS = 30;
/** Part of all fills from which on a flow has as good as all of them. */
const FULL = 0.9;
/** Part of all fills up to which ways off the best path may lead to more than those off a flow, where pools are in line. */
const SMALL = 0.5;
/** Gain below which the search is done, as a part of the trade's value. */
const LEAST_PROGRESS = 1e-7;
/** What a proof may leave open above a flow that is not looked at further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** The same without gas in multiples of what may be open at all, where a search has cost little. */
const CLOSELY = 10;
/** The same above a flow that has as good as all fills, for the limit of fills to be minimised with. */
const CROWDED = 1e-3;
/** What a proof may leave open, likewise, for a fill by chunks to be tried as well. */
const LOOSE = 0.01;
/**
 * The same above the last flow, for the prices to be looked for once more from that flow's own, and above one that has as
 * good as all fills, for ways to be looked for that bring more than others of its own.
 */
const WORTH_ANOTHER_LOOK = 1e-4;

/**
 * The trade over all pools at once, put back into the shape of a route; where gas or that shape make a difference,
 * columns that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(session: Session, goal: Goal): SearchOutcome | undefined {
  const first = startingFlow(session, goal);
  if (first === undefined) return undefined;
  // Where no path pays an amount, what it takes at least is about what a part of it takes, so many times.
  const sellAmount = isShort(goal, first) ? (first.sellAmount * goal.amount) / first.buyAmount : first.sellAmount;
  let relaxed = isHopeless(session, goal.kind === "sell" ? first.buyAmount : goal.amount)
    ? resting(session, sellAmount)
    : relax(session, first.logPrices, sellAmount, 0);
  let proof = proveAtFirst(session, sellAmount, goal, relaxed);
  // Where the best path is as good as it gets, gas leaves nothing to split.
  const isWhole = first.stuck === 0 && !isShort(goal, first);
  if (goal.costPerGas > 0 && isWhole && openAbove(session, goal, proof, first) <= LEAST_PROGRESS)
    return { found: [first], relaxed, proof };
  let best = first;
  // Where all fills are taken, what is missing is more fills.
  const isFull = (flow: Settled) => flow.stuck === 0 && fillsTaken(goal, flow) >= FULL * goal.maxFills;
  const gross: Goal = { ...goal, costPerGas: 0 };
  const spread = flowOver(session, gross, sellAmount, relaxed.edges, relaxed.logPrices);
  if (spread !== undefined) {
    if (goal.kind === "buy" && !isShort(goal, spread)) {
      relaxed = relax(session, relaxed.logPrices, spread.sellAmount, 0);
      proof = proveAtFirst(session, spread.sellAmount, goal, relaxed);
    }
    const pruned = goal.costPerGas > 0 ? prune(session, goal, spread) : spread;
    if (isBetter(session, goal, pruned, best)) best = pruned;
  }
  const isSimple = goal.kind === "sell" && goal.costPerGas === 0 && !relaxed.hopeless;
  if (isSimple && isFull(best) && openAbove(session, goal, proof, best) > CROWDED && !session.over()) {
    const crowded = crowdedFlow(session, goal, relaxed, best);
    relaxed = crowded.relaxed;
    proof = relaxed.measured.proof;
    best = crowded.flow ?? best;
  }
  const found = [first];
  const isLoose = () => {
    // Where less than the gas of a touch is open, it is not chunks that are missing.
    const touch = (session.graph.leastGas * goal.costPerGas) / amountOf(goal, best);
    return (
      isShort(goal, best) ||
      (openAbove(session, gross, relaxed.measured.proof, spread ?? first) > LOOSE &&
        openAbove(session, goal, proof, best) > LOOSE + touch)
    );
  };
  if (!isFull(best) && isLoose() && !session.over()) {
    const { edges, sellAmount, logPrices } = greedyFill(session, goal);
    // Chunks that found no path any more are to be sold all the same.
    const filled = flowOver(session, goal, goal.kind === "sell" ? goal.amount : sellAmount, edges, logPrices);
    // Floats may see more in dust than there is: chunks were filled in whole units, so that this flow is tried as it is.
    if (filled !== undefined) found.push(filled);
    if (filled !== undefined && isBetter(session, goal, filled, best)) best = filled;
  }
  if (goal.costPerGas > 0 && best.stuck > 0 && !session.over()) {
    // Room for all of the trade comes first, whatever gas it takes.
    const whole = searchFlow(session, gross)?.found.at(-1) ?? best;
    const paying = whole.stuck > 0 ? whole : climb(session, goal, prune(session, goal, whole), true);
    return { found: [...found, whole, paying], relaxed, proof };
  }
  const full = isFull(best);
  const open = openAbove(session, goal, proof, best);
  const least = goal.costPerGas > 0 ? closeEnough(session) : Math.min(CLOSE_ENOUGH, CLOSELY * closeEnough(session));
  // Where the proof leaves much open, ways that others hide are worth being looked for.
  const thoroughly = relaxed.hopeless || open > LOOSE;
  const passed = new Set<string>();
  const whenFull = goal.costPerGas > 0 ? Math.max(least, WORTH_ANOTHER_LOOK) : Number.POSITIVE_INFINITY;
  if (best.stuck > 0 || open > (full ? whenFull : least)) best = climb(session, goal, best, thoroughly, passed);
  const chunks = found[1];
  if (chunks !== undefined && goal.costPerGas === 0 && !relaxed.hopeless && !full && open > LOOSE && !session.over()) {
    // Tokens may come in another order there, which no way off a flow changes.
    const other = climb(session, goal, chunks, thoroughly, passed);
    if (isBetter(session, goal, other, best)) best = other;
  }
  const isOpen = relaxed.hopeless ? !full : best.support.edges.length <= SMALL * goal.maxFills;
  if (isOpen && goal.costPerGas > 0 && best !== first && open > least && !session.over()) {
    const other = climb(session, goal, first, thoroughly, passed);
    if (isBetter(session, goal, other, best)) best = other;
  }
  if (best.stuck > 0) {
    const filled = uncrowd(session, goal, fillUp(session, best));
    if (isBetter(session, goal, filled, best)) best = climb(session, goal, filled, thoroughly);
  }
  if (goal.costPerGas > 0 && open > least && !session.over())
    best = choosePools(session, goal, best, [...first.support.edges, ...relaxed.edges]);
  let last = resize(session, goal, best, 12);
  if (
    goal.costPerGas === 0 &&
    !relaxed.hopeless &&
    !full &&
    !session.over() &&
    openAbove(session, goal, proof, last) > WORTH_ANOTHER_LOOK
  ) {
    const again = relax(session, last.logPrices, last.sellAmount, 0);
    if (openAbove(session, goal, again.measured.proof, last) < openAbove(session, goal, proof, last)) {
      relaxed = again;
      proof = again.measured.proof;
    }
    const other = flowOver(session, goal, last.sellAmount, again.edges, again.logPrices);
    if (other !== undefined && isBetter(session, goal, other, last)) last = other;
  }
  return { found: [...found, last], relaxed, proof };
}

/**
 * Takes in columns, large parcels first, as long as the flow gets better. `thoroughly`: those as well that others hide
 * while labels spread from all tokens at once. `passed`: the flows that other climbs went on from, where it ends.
 */
export function climb(
  session: Session,
  goal: Goal,
  start: Settled,
  thoroughly: boolean,
  passed = new Set<string>(),
): Settled {
  let current = start;
  const own = new Set<string>();
  for (const parcel of PARCELS) {
    for (let round = 0; round < MOST_ROUNDS && !session.over(); round++) {
      const here = `${parcel} ${nameOf(current)}`;
      if (passed.has(here)) return current;
      own.add(here);
      const least = Math.max(LEAST_PROGRESS, closeEnough(session));
      const columns = columnsOf(session, goal, current, parcel, thoroughly);
      const next = grow(session, goal, current, columns);
      if (next === undefined) break;
      const progress = netOf(session, goal, next) - netOf(session, goal, current);
      const done = next.stuck === 0 && current.stuck === 0 && progress < least * amountOf(goal, next);
      current = next;
      if (done) break;
    }
  }
  for (const here of own) passed.add(here);
  return current;
}

/** The edges of a flow: what its split is a function of. */
function nameOf({ support }: Settled): string {
  const names = support.edges.map(({ poolNumber, from, to }) => `${poolNumber}:${from}:${to}`);
  return names.sort().join();
}

/** The columns for a parcel, as a part of the trade, that earn more than their gas, and than what has to go for them. */
function columnsOf(session: Session, goal: Goal, flow: Settled, parcel: number, thoroughly: boolean): Column[] {
  const costPerGas = gasInBought(session, goal, flow);
  const worth = flow.sellAmount * priceOf(flow, session.source);
  // No column carries more than all of the trade.
  const perTouch = (session.graph.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  const place = placesIn(goal, flow);
  const find = (spreading: Spreading) =>
    findColumns(session, flow, parcel * worth, spreading, perTouch).filter(
      ({ edges, profit }) => profit > gasOf(edges) * costPerGas + place(edges.length) + LEAST_PROGRESS * worth,
    );
  const columns = find("together");
  return thoroughly && columns.length === 0 ? find("apart") : columns;
}

/**
 * At least what a flow loses for so many edges to have a place beside its others, in bought units: without edges, the
 * prices that it has prove as much less as these earn.
 */
function placesIn({ maxFills }: Goal, { support, profits, stuck }: Settled): (count: number) => number {
  if (stuck > 0) return () => 0;
  const least = [...profits].sort((a, b) => a - b);
  return (count) => {
    let sum = 0;
    for (let i = 0; i < support.edges.length + count - maxFills; i++) sum += least[i] ?? Number.POSITIVE_INFINITY;
    return sum;
  };
}

/** The flow over as many of these edges as go together, the first ones first, pruned. */
export function flowOver(
  session: Session,
  goal: Goal,
  sellAmount: number,
  edges: readonly Edge[],
  start: ReadonlyMap<number, number>,
): Settled | undefined {
  const { source, sink } = session;
  const fitting = connected(session, withoutCycles(edges, source, sink));
  const settled = settle(session, fitting, sellAmount, start);
  return settled && resize(session, goal, prune(session, goal, resize(session, goal, settled, 4)), 12);
}

/** The flow with the best columns that make it better, fewer of them where many do not; undefined when none do. */
function grow(session: Session, goal: Goal, current: Settled, columns: readonly Column[]): Settled | undefined {
  for (let most = Math.min(COLUMNS_AT_ONCE, columns.length); most > 0; most = Math.floor(most / FEWER)) {
    const next = withColumns(session, goal, current, columns, most);
    if (next === undefined || isBetter(session, goal, next, current)) return next;
    if (session.over()) break;
  }
  return undefined;
}

/** The flow with as many of the columns as go together, `most` at most, the best first, pruned; undefined when none fits. */
function withColumns(
  session: Session,
  goal: Goal,
  current: Settled,
  columns: readonly Column[],
  most: number,
): Settled | undefined {
  const together = columnsThatFit(session, current, columns, most);
  if (together.length === 0) return undefined;
  const edges = [...current.support.edges, ...together.flatMap((column) => column.edges)];
  const start = new Map(current.logPrices);
  for (const { logPrices } of together)
    for (const [node, logPrice] of logPrices) if (!start.has(node)) start.set(node, logPrice);
  const settled = settle(session, edges, current.sellAmount, start);
  return settled && prune(session, goal, resize(session, goal, settled, 2));
}

/** As many of the columns as go together with a flow, `most` at most, the first ones first. */
function columnsThatFit(session: Session, flow: Settled, columns: readonly Column[], most: number): readonly Column[] {
  const places = new Set(flow.support.edges.map((edge) => placeOf(session, edge)));
  const take = (isWelcome: (column: Column) => boolean): Column[] => {
    const held = new Set(places);
    const taken: Column[] = [];
    for (const column of columns) {
      if (taken.length >= most) break;
      const own = column.edges.map((edge) => placeOf(session, edge));
      if (own.some((place) => held.has(place)) || !isWelcome(column)) continue;
      taken.push(column);
      for (const place of own) held.add(place);
    }
    return taken;
  };
  const canBeAdded = (edges: readonly Edge[]): boolean => {
    const support = supportOf(session, [...flow.support.edges, ...edges]);
    return support !== undefined && tooFar(session, support).size === 0;
  };
  // Often all of them do: then none has to be looked at alone.
  const all = take(() => true);
  if (canBeAdded(all.flatMap(({ edges }) => edges))) return all;
  const added: Edge[] = [];
  return take(({ edges }) => {
    if (!canBeAdded([...added, ...edges])) return false;
    added.push(...edges);
    return true;
  });
}
