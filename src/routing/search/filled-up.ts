import { type Goal, isBetter } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { climb } from "./climb.ts";
import { fillUp } from "./fill-up.ts";
import { uncrowd } from "./prune.ts";

/** How often paths are looked for beside what ways off a flow have made room for. */
const MOST_ROUNDS = 6;

/** A flow with what of it is stuck, if anything is, by other paths as far as these have room, and ways off that. */
export function filledUp(session: Session, goal: Goal, flow: Settled): Settled {
  let current = flow;
  for (let round = 0; round < MOST_ROUNDS && current.stuck > 0; round++) {
    const filled = uncrowd(session, goal, fillUp(session, current));
    if (!isBetter(session, goal, filled, current)) break;
    current = climb(session, goal, filled);
  }
  return current;
}
