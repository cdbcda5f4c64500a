import { openAbove } from "../bound/open-above.ts";
import { type Goal, isBetter, resize } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { closeEnough, type Session } from "../session/session.ts";
import { choosePools } from "./choose-pools.ts";
import { climb } from "./climb.ts";
import { fillUp } from "./fill-up.ts";
import { isFull } from "./left-open.ts";
import { uncrowd } from "./prune.ts";
import type { Proven } from "./search-outcome.ts";
import { stageOf } from "./stage.ts";
import type { Trail } from "./trail.ts";

/** Part of all fills up to which ways off the best path may lead to more than those off a flow, where pools are in line. */
const SMALL = 0.5;
/** What a proof may leave open above a flow that is not looked at further, as a part of the trade's value. */
const CLOSE_ENOUGH = 2e-5;
/** The same without gas in multiples of what may be open at all, where a search has cost little. */
const CLOSELY = 10;
/** The same above a flow that has as good as all fills, for ways to be looked for that bring more than others of its own. */
const WORTH_EXCHANGING = 1e-4;
/** The same for ways off a fill by chunks to be looked for as well. */
const LOOSE = 0.01;
/** Part of its steps up to which a search exchanges pools of a flow that has as good as all fills. */
const EXCHANGING = 1 / 32;
/** The same above any flow. */
const WIDE = 1e-3;

/** Flows to look for ways off: the best path, that of chunks if there is one, and the best so far. */
export interface Starts {
  readonly path: Settled;
  readonly chunks?: Settled | undefined;
  readonly best: Settled;
}

/**
 * What ways off these flows come to: those that earn more than their gas join, what then finds no room goes by others, and of
 * few pools it is decided which are worth their gas. `trail`: where climbs have come by, which these join.
 */
export function climbed(
  session: Session,
  goal: Goal,
  { path, chunks, best: start }: Starts,
  { relaxed, proof }: Proven,
  trail: Trail,
): Settled {
  const isFree = goal.costPerGas === 0;
  const full = isFull(goal, start);
  const open = openAbove(session, goal, proof, start);
  const least = isFree ? Math.min(CLOSE_ENOUGH, CLOSELY * closeEnough(session)) : closeEnough(session);
  const isDear = session.spent() > EXCHANGING;
  const whenFull = Math.max(least, isDear ? WIDE : WORTH_EXCHANGING);
  const manner = { trail, stage: stageOf(goal, relaxed) };
  let best = start;
  const climbFrom = (flow: Settled) => {
    const other = climb(session, goal, flow, manner);
    if (isBetter(session, goal, other, best)) best = other;
  };
  if (start.stuck > 0 || open > (full ? whenFull : least)) best = climb(session, goal, start, manner);
  // Tokens may come in another order there, which no way off a flow changes.
  if (chunks !== undefined && isFree && !relaxed.hopeless && !full && open > LOOSE && !session.over())
    climbFrom(chunks);
  const isOpen = relaxed.hopeless ? !full : best.support.edges.length <= SMALL * goal.maxFills;
  if (isOpen && !isFree && best !== path && open > least && !session.over()) climbFrom(path);
  if (best.stuck > 0) {
    const filled = uncrowd(session, goal, fillUp(session, best));
    if (isBetter(session, goal, filled, best)) best = climb(session, goal, filled);
  }
  if (!isFree && open > least && !session.over())
    best = choosePools(session, goal, best, [...path.support.edges, ...relaxed.edges()]);
  return resize(session, goal, best, 12);
}
