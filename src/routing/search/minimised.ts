import { proveAtFirst } from "../bound/bound.ts";
import { type Purchase, type Relaxed, relax, resting } from "../bound/relax.ts";
import { type Goal, isShort, mostSoldFor, sellAmountFrom } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import type { Proven } from "./search-outcome.ts";

/** How many times what an amount to buy seems to take, by what a part of it does, it may sell at most. */
const MARGIN = 2;
/**
 * What prices prove of a trade at first: where the dual over all pools is least, from the prices of the best path on; or
 * those at rest, where pools stand off each other so far that none prove anything of use.
 */
export function minimisedFrom(session: Session, goal: Goal, path: Settled, isHopeless: boolean): Proven {
  const sellAmount = sellAmountFrom(goal, path);
  if (isHopeless) return provenBy(session, goal, sellAmount, resting(session, sellAmount));
  const purchase = purchaseOf(session, goal, path);
  return provenBy(session, goal, sellAmount, relax(session, path.logPrices, sellAmount, { purchase }));
}

/** The same from prices at hand on, for a trade that sells about what a flow does. */
export function minimisedAgain(
  session: Session,
  goal: Goal,
  logPrices: ReadonlyMap<number, number>,
  flow: Settled,
): Proven {
  const { sellAmount } = flow;
  const purchase = purchaseOf(session, goal, flow);
  return provenBy(session, goal, sellAmount, relax(session, logPrices, sellAmount, { purchase }));
}

/** The purchase that a flow is one of, or of a part of it. */
function purchaseOf(session: Session, goal: Goal, flow: Settled): Purchase | undefined {
  if (goal.kind === "sell") return undefined;
  const mostSold = isShort(goal, flow) ? MARGIN * sellAmountFrom(goal, flow) : mostSoldFor(session, goal, flow);
  return { amount: goal.amount, mostSold };
}

function provenBy(session: Session, goal: Goal, sellAmount: number, relaxed: Relaxed): Proven {
  return { relaxed, proof: proveAtFirst(session, Math.max(sellAmount, relaxed.mostSold), goal, relaxed) };
}
