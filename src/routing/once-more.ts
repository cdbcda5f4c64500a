import { fillsOf } from "../domain/route.ts";
import { type Goal, netOf } from "./goal.ts";
import { type Evaluated, evaluate } from "./integers.ts";
import type { Wrappers } from "./plan.ts";
import { withoutRounded } from "./rounding.ts";
import type { RouteRequest } from "./router.ts";
import { climb } from "./search.ts";
import { narrowed, type Session } from "./session.ts";
import type { Settled } from "./settled.ts";

/** What a flow has to lose in integers for the search to go on, as a part of what it pays there. */
const VISIBLE = 1e-4;

/**
 * Goes on from the best answer in integers, without the pools of a flow that it has no use for: floats saw parts of base
 * units there, and what these pools were to carry may find other ways. Undefined where that leads to nothing.
 */
export function onceMore(
  request: RouteRequest,
  session: Session,
  wrappers: Wrappers,
  goal: Goal,
  meant: Settled,
  { route, value, flow }: Evaluated,
): Evaluated | undefined {
  const paid = Number(value);
  if (session.over() || netOf(session, goal, meant) - paid <= VISIBLE * Math.abs(paid)) return undefined;
  const kept = new Set(fillsOf(route).map(({ poolId }) => poolId));
  const gone = new Set(
    meant.support.edges.filter(({ pool }) => !kept.has(pool.id)).map(({ poolNumber }) => poolNumber),
  );
  if (gone.size === 0) return undefined;
  const rest = narrowed(session, ({ poolNumber }) => !gone.has(poolNumber));
  const next = climb(rest, goal, flow, true);
  const answer = evaluate(request, session, wrappers, goal, next);
  return "broken" in answer ? undefined : withoutRounded(request, session, wrappers, goal, answer);
}
