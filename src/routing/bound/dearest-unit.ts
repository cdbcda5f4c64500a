import { type Goal, isShort, mostSoldFor } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";

/**
 * How many times what all of a trade can be worth a base unit has to be worth: routes are never worth more than floats have
 * them for but where pools round their fee down, which keep no such part of anything.
 */
const BEYOND = 2;
/** How many times what the best path takes a purchase may take. */
const DEARER = 2;

/**
 * Leaves out tokens of which a whole base unit is worth more than a route can hold: by weak duality for a route that is broken
 * off there, that is no more than what is sold and what pools earn, at prices at rest. No route that takes more than
 * `mostSold` is looked at then. Flows in floats would pass a part of a unit. `first`: the best path.
 */
export function leaveOutDear(session: Session, goal: Goal, first: Settled): void {
  const { graph, source, sink, restless, units } = session;
  const { rest, from, gain, deepest } = graph;
  if (isShort(goal, first) || units.dearest < Number.POSITIVE_INFINITY) return;
  const mostSold = goal.kind === "sell" ? goal.amount : DEARER * mostSoldFor(session, goal, first);
  let worth = mostSold * (rest[source] as number);
  // A hyperbola's largest profit, other curves' is no more than that of the deepest that they may be.
  for (const slot of restless) {
    const best = gain[slot] as number;
    worth += best * (rest[from[slot] as number] as number) * (deepest[slot] as number) * (1 - Math.sqrt(1 / best)) ** 2;
  }
  const dearest = Math.max(BEYOND * worth, rest[source] as number, rest[sink] as number);
  if (!(dearest < Number.POSITIVE_INFINITY)) return;
  units.dearest = dearest;
  units.mostSold = mostSold;
}
