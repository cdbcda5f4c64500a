import { amountOf, gasInBought, gasOf, isBest, isBetter, netOf, priceOf, resize, solveGoal } from "../flow/goal.ts";
import { poolOrPair } from "../flow/pool-uses.ts";
import type { Split } from "../flow/solve-split.ts";
import { cycleGuard } from "../flow/support.ts";
import type { Column } from "../paths/column.ts";
import { findColumns } from "../paths/columns.ts";
import { closeEnough, type Search } from "../session/search.ts";
import { prune } from "./prune.ts";

/** Gain below which the search is done, as a part of the trade's value. */
const MIN_PROGRESS = 1e-7;
/** Columns taken in at once. */
const COLUMNS_AT_ONCE = 40;
/** Pool uses that they may bring beyond those that a route may have, as a part of these: what is too many is left out again. */
const TOO_MANY = 1 / 8;
/** Factor by which the number of tried columns shrinks if they do not help together. */
const FEWER = 4;
/** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
const PARCELS = [0.05, 0.001];

/** End of taking in columns, and the parcels that they are looked for with. */
interface Manner {
  /** Gain below which that is done, as a part of the trade's value. */
  readonly progress?: number;
  readonly parcels?: readonly number[];
}

/** For a flow among several: the best of them is improved to the end. */
export const ROUGH: Manner = { progress: 1e-4 };
/** Likewise, by large parcels alone. */
export const COARSE: Manner = { ...ROUGH, parcels: PARCELS.slice(0, 1) };

/** Takes in columns, large parcels first, as long as the flow gets better. */
export function addColumns(
  search: Search,
  start: Split,
  { progress = MIN_PROGRESS, parcels = PARCELS }: Manner = {},
): Split {
  let current = start;
  const least = Math.max(progress, closeEnough(search));
  for (const parcel of parcels) {
    while (!search.over() && !isBest(search, current)) {
      const next = grow(search, current, columnsOf(search, current, parcel));
      if (next === undefined) break;
      const gain = netOf(search, next) - netOf(search, current);
      const done = next.stuck === 0 && current.stuck === 0 && gain < least * amountOf(search, next);
      current = next;
      if (done) break;
    }
  }
  return current;
}

/** Whether a flow is better by more than rounding: another way may lead to the very same flow. */
export function isVisiblyBetter(search: Search, next: Split, flow: Split): boolean {
  const progress = netOf(search, next) - netOf(search, flow);
  const isVisible = next.stuck !== flow.stuck || progress > MIN_PROGRESS * amountOf(search, flow);
  return isVisible && isBetter(search, next, flow);
}

/** The columns for a parcel, as a part of the trade, that earn more than their gas. `against`: see findColumns. */
export function columnsOf(search: Search, flow: Split, parcel: number, against = false): Column[] {
  const costPerGas = gasInBought(search, flow);
  const worth = flow.sellAmount * priceOf(flow, search.source);
  // No column carries more than all of the trade.
  const perUse = (search.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  return findColumns(search, flow, parcel * worth, perUse, against).filter(
    ({ edges, profit }) => profit > gasOf(edges) * costPerGas + MIN_PROGRESS * worth,
  );
}

/** The flow with the best columns that make it better, fewer of them where many do not; undefined when none do. */
function grow(search: Search, current: Split, columns: readonly Column[]): Split | undefined {
  const room = Math.max(0, search.maxFills - current.support.edges.length) + TOO_MANY * search.maxFills;
  const together = columnsThatFit(search, current, columns, COLUMNS_AT_ONCE, room);
  for (let most = together.length; most > 0; most = most === 1 ? 0 : Math.ceil(most / FEWER)) {
    const next = withColumns(search, current, together.slice(0, most));
    if (next === undefined || isBetter(search, next, current)) return next;
    if (search.over()) break;
  }
  return undefined;
}

/** The flow with these columns, pruned. */
function withColumns(search: Search, current: Split, columns: readonly Column[]): Split | undefined {
  const edges = [...current.support.edges, ...columns.flatMap((column) => column.edges)];
  const start = new Map(current.logPrices);
  for (const { logPrices } of columns)
    for (const [node, logPrice] of logPrices()) if (!start.has(node)) start.set(node, logPrice);
  const solved = solveGoal(search, edges, current.sellAmount, start);
  return solved && prune(search, resize(search, solved, 2), false);
}

/**
 * As many of the columns as go together with a flow, the first ones first: `most` at most, and of more than one no more
 * than `room` uses.
 */
export function columnsThatFit(
  search: Search,
  flow: Split,
  columns: readonly Column[],
  most: number,
  room: number,
): readonly Column[] {
  const joins = cycleGuard(flow.support.edges);
  const held = new Set(flow.support.edges.map((edge) => poolOrPair(search, edge)));
  const taken: Column[] = [];
  let count = 0;
  for (const column of columns) {
    if (taken.length >= most) break;
    const { edges } = column;
    if (taken.length > 0 && count + edges.length > room) continue;
    const own = edges.map((edge) => poolOrPair(search, edge));
    if (own.some((place) => held.has(place)) || !joins(edges)) continue;
    taken.push(column);
    count += edges.length;
    for (const place of own) held.add(place);
  }
  return taken;
}
