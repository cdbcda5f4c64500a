import { type Goal, isBetter, isShort, resize, sellAmountFrom } from "../flow/goal.ts";
import { dealtOut, type Settled, settle } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { climb } from "./climb.ts";
import { fillUp } from "./fill-up.ts";
import { uncrowd } from "./prune.ts";

/** How often paths are looked for beside what ways off a flow have made room for. */
const MOST_ROUNDS = 6;
/** How many times what a purchase seems to need is sold next where its pools do not pay it. */
const MORE = 1.25;
/** How often a purchase is adjusted to its amount. */
const MOST_SIZES = 12;

/** A flow with what of it is left undone, if anything is, by other paths as far as these have room, and ways off that. */
export function filledUp(session: Session, goal: Goal, flow: Settled): Settled {
  let current = flow;
  for (let round = 0; round < MOST_ROUNDS && current.stuck > 0; round++) {
    const filled = uncrowd(session, goal, fillUp(session, current));
    if (!isBetter(session, goal, filled, current)) break;
    current = climb(session, goal, filled);
  }
  return isShort(goal, current) ? boughtUp(session, goal, current) : current;
}

/** The same for a purchase whose pools do not pay all of it: ever more is sold, by other paths where they are full. */
function boughtUp(session: Session, goal: Goal, flow: Settled): Settled {
  let current = flow;
  for (let round = 0; round < MOST_ROUNDS && current.buyAmount < goal.amount && !session.over(); round++) {
    const amount = MORE * Math.max(1, sellAmountFrom(goal, current));
    const sale = settle(session, current.support.edges, { kind: "sell", amount }, current.logPrices);
    const filled = sale && fillUp(session, sale);
    if (filled === undefined || !(filled.buyAmount > current.buyAmount)) break;
    current = filled.stuck > 0 ? dealtOut(session, filled, filled.sellAmount - filled.stuck) : filled;
  }
  const bought = uncrowd(session, goal, resize(session, goal, current, MOST_SIZES));
  return isBetter(session, goal, bought, flow) ? bought : flow;
}
