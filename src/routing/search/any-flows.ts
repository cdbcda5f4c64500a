import { isHopeless, relax } from "../bound/relax.ts";
import { shortage } from "../bound/shortage.ts";
import { type Goal, isDone, isShort, sellAmountFrom, withoutGas } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { filledUp } from "./filled-up.ts";
import { flowOver } from "./flow-over.ts";

/**
 * Flows that do a whole trade as floats see it, whatever they bring, those that are found sooner first: the best path, which is
 * known, what all pools at once come to where there is not too much arbitrage, and the path with others that take what finds no
 * room on it. None where prices prove that none does.
 */
export function* anyFlows(session: Session, goal: Goal, path: Settled): Generator<Settled> {
  if (isDone(goal, path)) yield path;
  if (session.over()) return;
  if (!isHopeless(session, goal.kind === "sell" ? path.buyAmount : goal.amount)) {
    if (isShort(goal, path) && shortage(session, goal, path) !== undefined) return;
    const all = overAllPools(session, goal, path);
    if (all !== undefined && isDone(goal, all)) yield all;
  }
  const filled = filledUp(session, goal, path);
  if (isDone(goal, filled)) yield filled;
}

function overAllPools(session: Session, goal: Goal, path: Settled): Settled | undefined {
  const sellAmount = sellAmountFrom(goal, path);
  const { edges, logPrices } = relax(session, path.logPrices, sellAmount, { isRough: true });
  return flowOver(session, withoutGas(goal), sellAmount, edges(), logPrices);
}
