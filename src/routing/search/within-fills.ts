import { mostProven } from "../bound/certificate.ts";
import { openAbove } from "../bound/open-above.ts";
import type { Goal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { crowdedFlow } from "./crowd.ts";
import { isFull, touchCost } from "./left-open.ts";
import { minimisedAgain } from "./minimised.ts";
import type { Spread } from "./over-all-pools.ts";
import type { Proven } from "./search-outcome.ts";

/** What a proof has to leave open above a flow that has as good as all fills, as a part of the trade's value. */
const CROWDED = 2e-4;
/** The same above a flow that pays a charge for touches, for the prices to have gone astray: its own are then begun with. */
const ASTRAY = 0.1;

/**
 * A trade that wants more pools than a route may touch, with a charge for each touch that leaves as many as may be; anything
 * else as it is.
 */
export function withinFills(session: Session, goal: Goal, spread: Spread): { known: Proven; best: Settled } {
  const { known, best } = spread;
  const isCrowded = known.relaxed.isCrowded || isMissingFills(session, goal, spread);
  if (!isCrowded || known.relaxed.hopeless || session.over()) return { known, best };
  const { flow = best, ...charged } = crowdedFlow(session, goal, known, best, CROWDED);
  const isAstray = openAbove(session, goal, charged.proof, flow) > ASTRAY && !session.over();
  if (!isAstray) return { known: charged, best: flow };
  const again = minimisedAgain(session, goal, flow.logPrices, flow);
  const isCloser = mostProven(again.proof, goal) < mostProven(charged.proof, goal);
  return { known: isCloser ? again : charged, best: flow };
}

/**
 * Whether a flow has as good as all fills and much is open above it; or that without gas has, and more is open than the gas of
 * them all: then it is not gas that leaves them out.
 */
function isMissingFills(session: Session, goal: Goal, { known: { proof }, gross, best }: Spread): boolean {
  const open = openAbove(session, goal, proof, best);
  if (isFull(goal, best)) return open > CROWDED;
  const gas = goal.maxFills * touchCost(session, goal, best);
  return gross !== undefined && isFull(goal, gross) && open > CROWDED + gas;
}
