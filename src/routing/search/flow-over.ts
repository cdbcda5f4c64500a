import type { Edge } from "../edges/edges.ts";
import { type Goal, resize, settleGoal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { connected } from "../flow/support.ts";
import type { Session } from "../session/session.ts";
import { prune } from "./prune.ts";
import { withoutCycles } from "./without-cycles.ts";

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
  const settled = settleGoal(session, goal, fitting, sellAmount, start);
  return settled && resize(session, goal, prune(session, goal, resize(session, goal, settled, 4)), 12);
}
