import { type Goal, isBetter, netOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { choosePools } from "./choose-pools.ts";
import { climb } from "./climb.ts";
import { exchanged } from "./exchange.ts";
import { prune } from "./prune.ts";

/** What touches of the same pools again have to cost for it to count, as a part of the trade's value. */
const VISIBLE = 3e-5;

/**
 * A purchase's flow once the gas of every touch counts that its trees make of a pool: the best that the flow at hand and the
 * single path come to. The search has counted one touch of each, since how many trees make hangs on all others. Undefined
 * where that makes no difference.
 */
export function withFewTouches(session: Session, goal: Goal, path: Settled, flow: Settled): Settled | undefined {
  if (goal.kind === "sell" || goal.costPerGas === 0 || flow.stuck > 0 || session.over()) return undefined;
  const inTrees = { ...goal, inTrees: true };
  const net = netOf(session, goal, flow);
  if (net - netOf(session, inTrees, flow) <= VISIBLE * Math.abs(net)) return undefined;
  const [one, other] = [flow, path].map((start) => {
    const fewer = choosePools(session, inTrees, climb(session, inTrees, prune(session, inTrees, start)), []);
    return exchanged(session, inTrees, fewer);
  }) as [Settled, Settled];
  return isBetter(session, inTrees, other, one) ? other : one;
}
