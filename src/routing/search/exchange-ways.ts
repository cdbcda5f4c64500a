import { type Goal, gasInBought, gasOf, priceOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Column } from "../paths/column.ts";
import { findColumns } from "../paths/columns.ts";
import { columnsThatFit } from "../paths/fitting-columns.ts";
import type { Session } from "../session/session.ts";
import { isVisiblyBetter, withColumns } from "./climb.ts";
import { Trail } from "./trail.ts";

/** The parcel that ways are looked for with, as a part of the trade. */
const PARCEL = 0.05;
/** Part of its gas that a way has to earn next to all that it may stand in for. */
const PART = 0.05;
/** Ways that are tried, one by one, until one is better. */
const MOST_TRIED = 16;

/**
 * The flow with ways in the place of others, as long as that is better. Next to those that it has they do not earn their gas,
 * so that none of them joins by itself: it joins all the same, and what earns less than its gas then goes.
 */
export function withWaysExchanged(session: Session, goal: Goal, start: Settled): Settled {
  const trail = new Trail();
  let best = start;
  for (let next: Settled | undefined = start; next !== undefined; next = exchanged(session, goal, best, trail))
    best = next;
  return best;
}

function exchanged(session: Session, goal: Goal, flow: Settled, trail: Trail): Settled | undefined {
  for (const way of waysBeside(session, goal, flow).slice(0, MOST_TRIED)) {
    if (session.over()) return undefined;
    const fitting = columnsThatFit(session, flow, [way], 1, 0);
    const next = fitting.length === 0 ? undefined : withColumns(session, goal, flow, fitting, false, trail);
    if (next !== undefined && isVisiblyBetter(session, goal, next, flow)) return next;
  }
  return undefined;
}

/** Ways that earn a part of their gas at a flow's prices, those first that lack least of it. */
function waysBeside(session: Session, goal: Goal, flow: Settled): Column[] {
  const worth = flow.sellAmount * priceOf(flow, session.source);
  const costPerGas = PART * gasInBought(session, goal, flow);
  const perTouch = (session.leastGas * costPerGas) / Math.max(worth, flow.buyAmount);
  const lacking = ({ edges, profit }: Column) => gasOf(edges) * gasInBought(session, goal, flow) - profit;
  return findColumns(session, flow, PARCEL * worth, perTouch)
    .filter(({ edges, profit }) => profit > gasOf(edges) * costPerGas)
    .sort((a, b) => lacking(a) - lacking(b));
}
