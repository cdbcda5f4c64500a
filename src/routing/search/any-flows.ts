import { isHopeless, relax } from "../bound/relax.ts";
import { shortage } from "../bound/shortage.ts";
import { type Goal, isDone, isShort, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { filledByChunks, flowOver } from "./flow-over.ts";

/**
 * Flows that do a whole trade as floats see it, whatever they bring, those that are found sooner first: the best path, which is
 * known, what all pools at once come to where they do not stand off each other, and chunks. None where prices prove that none
 * does.
 */
export function* anyFlows(session: Session, goal: Goal, path: Settled): Generator<Settled> {
  if (isDone(goal, path)) yield path;
  if (session.over()) return;
  if (!isHopeless(session, goal.kind === "sell" ? path.buyAmount : goal.amount)) {
    if (isShort(goal, path) && shortage(session, goal, path) !== undefined) return;
    const all = overAllPools(session, goal, path);
    if (all !== undefined && isDone(goal, all)) yield all;
  }
  const chunks = filledByChunks(session, goal);
  if (chunks !== undefined && isDone(goal, chunks)) yield chunks;
}

function overAllPools(session: Session, goal: Goal, path: Settled): Settled | undefined {
  const sellAmount = sellAmountFrom(goal, path);
  const { edges, logPrices } = relax(session, path.logPrices, sellAmount, { isRough: true });
  return flowOver(session, withoutGas(goal), sellAmount, edges(), logPrices);
}
