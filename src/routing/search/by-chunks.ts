import type { Goal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { greedyFill } from "../paths/greedy-fill.ts";
import type { Session } from "../session/session.ts";
import { flowOver } from "./flow-over.ts";

/** The flow over the paths that chunks take; those that found none any more are to be sold all the same. */
export function filledByChunks(session: Session, goal: Goal): Settled | undefined {
  const { edges, sellAmount, logPrices } = greedyFill(session, goal);
  return flowOver(session, goal, goal.kind === "sell" ? goal.amount : sellAmount, edges, logPrices);
}
