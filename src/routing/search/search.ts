import { openAbove } from "../bound/open-above.ts";
import { isHopeless } from "../bound/relax.ts";
import { shortage } from "../bound/shortage.ts";
import { mayTouchAgain } from "../edges/may-touch-again.ts";
import { type Goal, isBetter, isShort, withoutGas } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { FEW_CHUNKS } from "../paths/greedy-fill.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Session } from "../session/session.ts";
import { filledByChunks, filledFinely } from "./by-chunks.ts";
import { climb, LEAST_PROGRESS } from "./climb.ts";
import { climbed } from "./climbed.ts";
import { crossed } from "./cross.ts";
import { flowOver } from "./flow-over.ts";
import { isFull, isStillOpen, touchCost } from "./left-open.ts";
import { minimisedAgain, minimisedFrom } from "./minimised.ts";
import { overAllPools, type Spread } from "./over-all-pools.ts";
import { prune } from "./prune.ts";
import { reordered } from "./reorder.ts";
import type { Proven, SearchOutcome } from "./search-outcome.ts";
import { REST, ROUGH, stageOf } from "./stage.ts";
import { Trail } from "./trail.ts";

/** Touches that may be open above the best path for ways off it to be all that is looked for: a flow without gas takes far more. */
const FEW = 4;
/** What a proof may leave open, as a part of the trade's value, for a fill by chunks to be tried as well. */
const LOOSE = 0.01;

/** The same above the last flow, for the prices to be looked for once more from that flow's own. */
const WORTH_ANOTHER_LOOK = 1e-4;

/** Flows worth evaluating in integers, the best one, as floats have it, last. */
type Flows = readonly [...Settled[], Settled];

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

  const atFirst = minimisedFrom(session, goal, path, hopeless);
  const nearby = nearPath(session, goal, path, atFirst);
  if (nearby !== undefined) return { found: nearby, ...atFirst };
  const spread = overAllPools(session, goal, path, atFirst);
  const { known, best: whole } = spread;

  const isRough = stageOf(goal, known.relaxed) === ROUGH;
  const chunks = isLoose(session, goal, path, spread)
    ? filledByChunks(session, goal, isRough && path.stuck === 0 ? FEW_CHUNKS : undefined)
    : undefined;
  const best = chunks !== undefined && isBetter(session, goal, chunks, whole) ? chunks : whole;
  // Floats may see more in dust than there is: chunks were filled in whole units, so that this flow is tried as it is.
  const begun = chunks === undefined ? [path] : [path, chunks];
  if (goal.costPerGas > 0 && (best.stuck > 0 || isShort(goal, best)) && !session.over())
    return { found: [...begun, ...withRoom(session, goal, best)], ...known };

  const trail = new Trail();
  let flows: Flows = [climbed(session, goal, { path, chunks, best }, known, trail)];
  flows = withFineChunks(session, goal, known, flows, trail);
  flows = inOtherOrders(session, goal, known, flows, trail);
  flows = withTheRest(session, goal, known, flows, trail);
  if (goal.costPerGas > 0 || known.relaxed.hopeless || isFull(goal, best) || session.over())
    return { found: [...begun, ...flows], ...known };
  const { flow, ...again } = lookedAgain(session, goal, lastOf(flows), known);
  return { found: [...begun, ...flows.with(-1, flow)], ...again };
}

/** What there is room for where prices prove that no route does the whole trade; undefined where they do not. */
function provenImpossible(session: Session, goal: Goal, path: Settled): SearchOutcome | undefined {
  const relaxed = isShort(goal, path) ? shortage(session, goal, path) : undefined;
  if (relaxed === undefined) return undefined;
  const chunks = filledByChunks(session, goal);
  const found = chunks === undefined ? [path] : [path, chunks];
  return { found, relaxed, proof: relaxed.measured.proof, isImpossible: true };
}

/** The best path where gas leaves nothing to split, with ways off it where it leaves a few touches; undefined where more is open. */
function nearPath(session: Session, goal: Goal, path: Settled, known: Proven): Flows | undefined {
  if (goal.costPerGas === 0 || path.stuck > 0 || isShort(goal, path)) return undefined;
  const open = openAbove(session, goal, known.proof, path);
  if (open <= LEAST_PROGRESS) return [path];
  const isNear = open <= FEW * touchCost(session, goal, path);
  return isNear ? [path, climbed(session, goal, { path, best: path }, known, new Trail())] : undefined;
}

/** Whether so much is open above the flow over all pools, and above the best one with its gas, that chunks may find more. */
function isLoose(session: Session, goal: Goal, path: Settled, { known, gross = path, best }: Spread): boolean {
  const isOpen =
    isShort(goal, best) ||
    (openAbove(session, withoutGas(goal), known.relaxed.measured.proof, gross) > LOOSE &&
      // Where less than the gas of a touch is open, it is not chunks that are missing.
      openAbove(session, goal, known.proof, best) > LOOSE + touchCost(session, goal, best));
  return isOpen && !isFull(goal, best) && !session.over();
}

/** Flows that do more of a trade of which something is stuck: room for all of it comes first, whatever gas it takes. */
function withRoom(session: Session, goal: Goal, best: Settled): Flows {
  const whole = searchFlow(session, withoutGas(goal))?.found.at(-1) ?? best;
  return [whole, whole.stuck > 0 ? whole : climb(session, goal, prune(session, goal, whole))];
}

/**
 * These flows and what ways off fine chunks come to, where that is better. Prices and coarse chunks count each pair of a pool
 * of several tokens as a pool of its own: where a sale touches such pools and is open all the same, fine ones may find more.
 */
function withFineChunks(session: Session, goal: Goal, known: Proven, flows: Flows, trail: Trail): Flows {
  const best = lastOf(flows);
  if (goal.kind === "buy" || !best.support.edges.some((edge) => mayTouchAgain(edge.pool))) return flows;
  const finely = isStillOpen(session, goal, known, best) ? filledFinely(session, goal) : undefined;
  if (finely === undefined) return flows;
  const other = climb(session, goal, finely);
  trail.end(other);
  // Chunks were filled in whole units: floats may see more in ways off them than there is.
  return isBetter(session, goal, other, best) ? [...flows, finely, other] : flows;
}

/** These flows and better ones with their tokens in another order, or over what several climbs came to. */
function inOtherOrders(session: Session, goal: Goal, known: Proven, flows: Flows, trail: Trail): Flows {
  if (!isStillOpen(session, goal, known, lastOf(flows))) return flows;
  let all = flows;
  for (const change of [reordered, crossed]) {
    const other = change(session, goal, lastOf(all), trail, stageOf(goal, known.relaxed));
    if (other !== lastOf(all)) all = [...all, other];
  }
  return all;
}

/** These flows and the best of them with what large parcels have left over, where that is all that was taken in. */
function withTheRest(session: Session, goal: Goal, { relaxed }: Proven, flows: Flows, trail: Trail): Flows {
  const best = lastOf(flows);
  const whole = stageOf(goal, relaxed) === ROUGH ? climb(session, goal, best, { trail, stage: REST }) : best;
  return whole === best ? flows : [...flows, whole];
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
