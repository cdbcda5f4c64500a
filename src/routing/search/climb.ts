import {
  amountOf,
  type Goal,
  gasInBought,
  gasOf,
  isBest,
  isBetter,
  netOf,
  priceOf,
  resize,
  settleGoal,
} from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Column } from "../paths/column.ts";
import { findColumns } from "../paths/columns.ts";
import { columnsThatFit } from "../paths/fitting-columns.ts";
import { closeEnough, type Session } from "../session/session.ts";
import { prune } from "./prune.ts";

/** Gain below which the search is done, as a part of the trade's value. */
export const LEAST_PROGRESS = 1e-7;
/** Columns taken in at once. */
const COLUMNS_AT_ONCE = 40;
/** Touches that they may bring beyond those that a route may have, as a part of these: what is too many is left out again. */
const TOO_MANY = 1 / 8;
/** How many times fewer are tried where those do not help together. */
const FEWER = 4;
/** Parcel sizes that columns are looked for with, as parts of the trade: large ones first, so that dust comes last. */
const PARCELS = [0.05, 0.001];

/** Takes in columns, large parcels first, as long as the flow gets better. */
export function climb(session: Session, goal: Goal, start: Settled): Settled {
  let current = start;
  const least = Math.max(LEAST_PROGRESS, closeEnough(session));
  for (const parcel of PARCELS) {
    while (!session.over() && !isBest(session, goal, current)) {
      const next = grow(session, goal, current, columnsOf(session, goal, current, parcel));
      if (next === undefined) break;
      const progress = netOf(session, goal, next) - netOf(session, goal, current);
      const done = next.stuck === 0 && current.stuck === 0 && progress < least * amountOf(goal, next);
      current = next;
      if (done) break;
    }
  }
  return current;
}

/** Whether a flow is better by more than rounding: another way may lead to the very same flow. */
export function isVisiblyBetter(session: Session, goal: Goal, next: Settled, flow: Settled): boolean {
  const progress = netOf(session, goal, next) - netOf(session, goal, flow);
  const isVisible = next.stuck !== flow.stuck || progress > LEAST_PROGRESS * amountOf(goal, flow);
  return isVisible && isBetter(session, goal, next, flow);
}

/** The columns for a parcel, as a part of the trade, that earn more than their gas. */
function columnsOf(session: Session, goal: Goal, flow: Settled, parcel: number): Column[] {
  const costPerGas = gasInBought(session, goal, flow);
  const worth = flow.sellAmount * priceOf(flow, session.source);
  // No column carries more than all of the trade.
  const perTouch = (session.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  return findColumns(session, flow, parcel * worth, perTouch).filter(
    ({ edges, profit }) => profit > gasOf(edges) * costPerGas + LEAST_PROGRESS * worth,
  );
}

/** The flow with the best columns that make it better, fewer of them where many do not; undefined when none do. */
function grow(session: Session, goal: Goal, current: Settled, columns: readonly Column[]): Settled | undefined {
  const room = Math.max(0, goal.maxFills - current.support.edges.length) + TOO_MANY * goal.maxFills;
  const together = columnsThatFit(session, current, columns, COLUMNS_AT_ONCE, room);
  for (let most = together.length; most > 0; most = most === 1 ? 0 : Math.ceil(most / FEWER)) {
    const next = withColumns(session, goal, current, together.slice(0, most));
    if (next === undefined || isBetter(session, goal, next, current)) return next;
    if (session.over()) break;
  }
  return undefined;
}

/** The flow with these columns, pruned. */
function withColumns(session: Session, goal: Goal, current: Settled, columns: readonly Column[]): Settled | undefined {
  const edges = [...current.support.edges, ...columns.flatMap((column) => column.edges)];
  const start = new Map(current.logPrices);
  for (const { logPrices } of columns)
    for (const [node, logPrice] of logPrices()) if (!start.has(node)) start.set(node, logPrice);
  const settled = settleGoal(session, goal, edges, current.sellAmount, start);
  return settled && prune(session, goal, resize(session, goal, settled, 2), false);
}
