import { type Column, findColumns, type Spreading } from "./columns.ts";
import type { Edge } from "./edges.ts";
import { amountOf, type Goal, gasInBought, gasOf, isBetter, netOf, priceOf, resize } from "./goal.ts";
import { prune } from "./prune.ts";
import { closeEnough, type Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";
import { supportOf, tooFar } from "./support.ts";
import { placeOf } from "./touches.ts";

/** Gain below which the search is done, as a part of the trade's value. */
export const LEAST_PROGRESS = 1e-7;
/** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
const PARCELS = [0.05, 0.001];
/** Columns taken in at once. */
const COLUMNS_AT_ONCE = 40;
/** How many times fewer are tried where those do not help together. */
const FEWER = 4;
/** Rounds of columns of one parcel size. */
const MOST_ROUNDS = 30;

/**
 * Takes in columns, large parcels first, as long as the flow gets better. `thoroughly`: then those as well that others hide
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
    let spreading: Spreading = "together";
    for (let round = 0; round < MOST_ROUNDS && !session.over(); round++) {
      const here = `${parcel} ${spreading} ${nameOf(current)}`;
      if (passed.has(here)) return current;
      own.add(here);
      const columns = columnsOf(session, goal, current, parcel, spreading);
      const next = grow(session, goal, current, columns);
      const hasGrown = next !== undefined && isProgress(session, goal, next, current);
      current = next ?? current;
      if (hasGrown) spreading = "together";
      else if (thoroughly && spreading === "together") spreading = "apart";
      else break;
    }
  }
  for (const here of own) passed.add(here);
  return current;
}

/** Whether a flow is so much better than the one before that a further round is worth it. */
function isProgress(session: Session, goal: Goal, next: Settled, before: Settled): boolean {
  if (next.stuck > 0 || before.stuck > 0) return true;
  const least = Math.max(LEAST_PROGRESS, closeEnough(session));
  return netOf(session, goal, next) - netOf(session, goal, before) >= least * amountOf(goal, next);
}

/** The edges of a flow: what its split is a function of. */
function nameOf({ support }: Settled): string {
  const names = support.edges.map(({ poolNumber, from, to }) => `${poolNumber}:${from}:${to}`);
  return names.sort().join();
}

/** The columns for a parcel, as a part of the trade, that earn more than their gas, and than what has to go for them. */
function columnsOf(session: Session, goal: Goal, flow: Settled, parcel: number, spreading: Spreading): Column[] {
  const costPerGas = gasInBought(session, goal, flow);
  const worth = flow.sellAmount * priceOf(flow, session.source);
  // No column carries more than all of the trade.
  const perTouch = (session.graph.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  const place = placesIn(goal, flow);
  return findColumns(session, flow, parcel * worth, spreading, perTouch).filter(
    ({ edges, profit }) => profit > gasOf(edges) * costPerGas + place(edges.length) + LEAST_PROGRESS * worth,
  );
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
