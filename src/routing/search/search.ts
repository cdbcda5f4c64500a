import { openAbove } from "../bound/open-above.ts";
import { isHopeless } from "../bound/relax.ts";
import { ampleSale, shortage } from "../bound/shortage.ts";
import { type Goal, isBetter, isDone, isShort, withoutGas } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Session } from "../session/session.ts";
import { climb, LEAST_PROGRESS } from "./climb.ts";
import { climbed } from "./climbed.ts";
import { filledUp } from "./filled-up.ts";
import { flowOver } from "./flow-over.ts";
import { isFull, isStillOpen, touchCost } from "./left-open.ts";
import { minimisedAgain, minimisedFrom } from "./minimised.ts";
import { overAllPools } from "./over-all-pools.ts";
import { prune } from "./prune.ts";
import { deepened, restarted } from "./restarts.ts";
import type { Proven, SearchOutcome } from "./search-outcome.ts";
import { warmFlow } from "./warm-start.ts";

/** Touches that may be open above the best path for ways off it to be all that is looked for: a flow without gas takes far more. */
const FEW = 4;
/** What a proof may leave open above the last flow, as a part of the trade's value, for the prices to be looked for once more from that flow's own. */
const WORTH_ANOTHER_LOOK = 1e-4;
/** The same from which on a proof does not tell how good a flow is. */
const LOOSE = 0.2;

/** Flows worth evaluating in integers, the best one, as floats have it, last. */
type Flows = [...Settled[], Settled];

/**
 * The best path, then the trade over all pools at once, put back into the shape of a route; where gas or that shape make a
 * difference, ways that earn more than their gas join, and what does not is dropped.
 */
export function searchFlow(session: Session, goal: Goal): SearchOutcome | undefined {
  const path = startingFlow(session, goal);
  if (path === undefined) return undefined;
  const hopeless = isHopeless(session, goal.kind === "sell" ? path.buyAmount : goal.amount);
  const impossible = hopeless ? undefined : provenImpossible(session, goal, path);
  if (impossible !== undefined) return impossible;

  const warm = warmFlow(session, goal, path, hopeless);
  const atFirst = minimisedFrom(session, goal, warm?.flow ?? path, hopeless);
  const nearby = nearPath(session, goal, path, atFirst);
  if (nearby !== undefined) return { found: nearby, ...atFirst };
  const climbedWarm = warm?.isEnough && !session.isDeep ? fromWarm(session, goal, warm.flow, atFirst) : undefined;
  if (climbedWarm !== undefined) return { found: [path, climbedWarm], ...atFirst };
  const spread = overAllPools(session, goal, path, atFirst);
  const { known, best: whole } = spread;

  if (goal.costPerGas > 0 && !isDone(goal, whole) && !session.over())
    return { found: [path, ...withRoom(session, goal, whole)], ...known };

  const flows: Flows = [climbed(session, goal, path, whole, known)];
  if (isStillOpen(session, goal, known, lastOf(flows))) flows.push(restarted(session, goal, lastOf(flows), warm?.flow));
  if (session.isDeep && isStillOpen(session, goal, known, lastOf(flows)))
    flows.push(deepened(session, goal, lastOf(flows)));
  if (goal.costPerGas > 0 || known.relaxed.hopeless || isFull(goal, whole) || session.over())
    return { found: [path, ...flows], ...known };
  const { flow, ...again } = lookedAgain(session, goal, lastOf(flows), known);
  return { found: [path, ...flows.slice(0, -1), flow], ...again };
}

/** What there is room for where prices prove that no route does the whole trade; undefined where they do not. */
function provenImpossible(session: Session, goal: Goal, path: Settled): SearchOutcome | undefined {
  const relaxed = isShort(goal, path) ? shortage(session, goal, path) : undefined;
  if (relaxed === undefined) return undefined;
  const { kind, amount } = ampleSale(goal, path);
  const sale = { ...withoutGas(goal), kind, amount };
  const most = flowOver(session, sale, amount, relaxed.edges(), relaxed.logPrices);
  const found = most === undefined ? [path] : [path, most];
  return { found, relaxed, proof: relaxed.measured.proof, isImpossible: true };
}

/** The best path where gas leaves nothing to split, with ways off it where it leaves a few touches; undefined where more is open. */
function nearPath(session: Session, goal: Goal, path: Settled, known: Proven): Flows | undefined {
  if (goal.costPerGas === 0 || !isDone(goal, path)) return undefined;
  const open = openAbove(session, goal, known.proof, path);
  if (open <= LEAST_PROGRESS) return [path];
  const isNear = open <= FEW * touchCost(session, goal, path);
  return isNear ? [path, climbed(session, goal, path, path, known)] : undefined;
}

/** What a climb from a known route comes to; undefined where the proof leaves something open that a whole search may find. */
function fromWarm(session: Session, goal: Goal, flow: Settled, { relaxed, proof }: Proven): Settled | undefined {
  const open = openAbove(session, goal, proof, flow);
  const tellsNothing = relaxed.hopeless || open > LOOSE;
  return open <= WORTH_ANOTHER_LOOK || tellsNothing
    ? climbed(session, goal, undefined, flow, { relaxed, proof })
    : undefined;
}

/** Flows that do more of a trade of which something is left undone: room for all of it comes first, whatever gas it takes. */
function withRoom(session: Session, goal: Goal, best: Settled): Flows {
  const found = searchFlow(session, withoutGas(goal))?.found.at(-1) ?? best;
  const whole = isDone(goal, found) ? found : filledUp(session, goal, found);
  if (!isDone(goal, whole)) return [whole];
  return [whole, restarted(session, goal, climb(session, goal, prune(session, goal, whole)))];
}

/** Prices minimised once more from a flow's own, where much is open above it, and the flow over what they take where it is better. */
function lookedAgain(session: Session, goal: Goal, last: Settled, known: Proven): Proven & { readonly flow: Settled } {
  const open = openAbove(session, goal, known.proof, last);
  if (open <= WORTH_ANOTHER_LOOK) return { ...known, flow: last };
  const again = minimisedAgain(session, goal, last.logPrices, last);
  const { relaxed } = again;
  const other = flowOver(session, goal, last.sellAmount, relaxed.edges(), relaxed.logPrices);
  const flow = other !== undefined && isBetter(session, goal, other, last) ? other : last;
  return { ...(openAbove(session, goal, again.proof, last) < open ? again : known), flow };
}

function lastOf(flows: Flows): Settled {
  return flows.at(-1) as Settled;
}
