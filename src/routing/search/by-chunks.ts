import type { Goal } from "../flow/goal.ts";
import { carriedOut, type Settled } from "../flow/settled.ts";
import { fineFill, greedyFill } from "../paths/greedy-fill.ts";
import type { Session } from "../session/session.ts";
import { flowOver } from "./flow-over.ts";
import { prune } from "./prune.ts";

/** The flow over the paths that chunks take; those that found none any more are to be sold all the same. `parts`: as of `greedyFill`. */
export function filledByChunks(session: Session, goal: Goal, parts?: number): Settled | undefined {
  const { edges, sellAmount, logPrices } = greedyFill(session, goal, parts);
  return flowOver(session, goal, goal.kind === "sell" ? goal.amount : sellAmount, edges, logPrices);
}

/**
 * The flow that fine chunks of a sale make, each over pools of several tokens as those before leave them. What they sold to
 * each pair is a better split to begin with than that of pairs on their own.
 */
export function filledFinely(session: Session, goal: Goal): Settled | undefined {
  const { edges, sells, logPrices } = fineFill(session, goal);
  const filled = edges.length === 0 ? undefined : carriedOut(session, edges, goal.amount, sells, logPrices);
  return filled && prune(session, goal, filled);
}
