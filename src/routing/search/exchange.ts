import type { Goal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { withPoolsExchanged } from "./exchange-pools.ts";
import { withWaysExchanged } from "./exchange-ways.ts";

/** The flow with ways, and then pools, in the place of others, as long as that is better. */
export function exchanged(session: Session, goal: Goal, flow: Settled): Settled {
  return withPoolsExchanged(session, goal, withWaysExchanged(session, goal, flow));
}
