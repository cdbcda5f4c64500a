import { openAbove } from "../bound/open-above.ts";
import { amountOf, type Goal, isBest } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import type { Proven } from "./search-outcome.ts";

/** Part of all fills from which on a flow has as good as all of them. */
const FULL = 0.9;
/** What a proof has to leave open, as a part of the trade's value, for fine chunks and other orders of tokens to be tried. */
const OPEN = 0.001;

/** Whether a flow does all of the trade and has as good as all fills: what is missing then is more fills. */
export function isFull(goal: Goal, flow: Settled): boolean {
  return flow.stuck === 0 && flow.support.edges.length >= FULL * goal.maxFills;
}

/** What the cheapest touch of any pool costs, as a part of the trade's value. */
export function touchCost(session: Session, goal: Goal, flow: Settled): number {
  return (session.leastGas * goal.costPerGas) / amountOf(goal, flow);
}

/** Whether `OPEN` of the trade and the gas of a touch are open above a flow, and it is not for want of fills. */
export function isStillOpen(session: Session, goal: Goal, { relaxed, proof }: Proven, flow: Settled): boolean {
  if (session.over() || (isFull(goal, flow) && !relaxed.hopeless) || isBest(session, goal, flow)) return false;
  return openAbove(session, goal, proof, flow) > OPEN + touchCost(session, goal, flow);
}
