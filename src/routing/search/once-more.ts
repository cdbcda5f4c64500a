import { type Goal, netOf, settleGoal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Wrappers } from "../plan/plan.ts";
import type { RouteRequest } from "../router.ts";
import { inWholeUnits, type Session } from "../session/session.ts";
import { climb } from "./climb.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import { withoutRounded } from "./rounding.ts";

/** What a flow has to lose in integers for the search to go on, as a part of what it pays there; or to gain by that. */
const VISIBLE = 1e-4;

/**
 * Goes on from the best answer in integers, in whole base units: floats saw parts of them in `meant`, and what pools were
 * to make of these may find other ways; for a purchase as long as that gains visibly. Undefined where that leads to nothing.
 */
export function onceMore(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  meant: Settled,
  answer: Evaluated,
): Evaluated | undefined {
  const paid = Number(answer.value);
  if (netOf(session, goal, meant) - paid <= VISIBLE * Math.abs(paid)) return undefined;
  return goneOnFrom(request, session, wrappers, goal, answer);
}

/** The same from any answer. */
function goneOnFrom(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  answer: Evaluated,
): Evaluated | undefined {
  const next = goneOn(request, session, wrappers, goal, answer);
  if (goal.kind === "sell" || next === undefined) return next;
  const gained = Number(next.value - answer.value);
  if (gained <= VISIBLE * Math.abs(Number(next.value))) return next;
  const after = goneOnFrom(request, session, wrappers, goal, next);
  return after !== undefined && after.value > next.value ? after : next;
}

function goneOn(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  { flow }: Evaluated,
): Evaluated | undefined {
  if (session.over()) return undefined;
  const whole = inWholeUnits(session);
  const start = settleGoal(whole, goal, flow.support.edges, flow.sellAmount, flow.logPrices);
  if (start === undefined) return undefined;
  const next = climb(whole, goal, start);
  const answer = evaluate(request, session, wrappers, goal, next);
  return "broken" in answer ? undefined : withoutRounded(request, session, wrappers, goal, answer);
}
