import type { Edge } from "../edges/edges.ts";
import { type Goal, isBetter, resize, settleGoal } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Session } from "../session/session.ts";
import { climb, isVisiblyBetter } from "./climb.ts";
import { flowOver } from "./flow-over.ts";
import { prune } from "./prune.ts";

/** Other amounts that a search begins with, as multiples of the trade's. */
const SCALES = [1 / 8, 4, 16];

/**
 * The best of a flow and what climbs come to that begin with other amounts, by themselves and crossed with it. Where pools
 * stand off each other a climb ends at the best flow near its start: ways that join never change the order in which a flow
 * passes its tokens. Less or more of the trade begins with other paths, and so with other orders.
 */
export function restarted(session: Session, goal: Goal, start: Settled, known?: Settled): Settled {
  let best = start;
  for (const scale of known === undefined ? SCALES : [undefined, ...SCALES]) {
    if (session.over()) break;
    const other = scale === undefined ? climb(session, goal, known as Settled) : climbedAt(session, goal, scale, best);
    if (other === undefined) continue;
    const [first, second] = isBetter(session, goal, other, best) ? [other, best] : [best, other];
    best = first;
    const both = crossed(session, goal, first, second);
    // What is not better by itself seldom becomes so by further ways.
    if (both !== undefined && isVisiblyBetter(session, goal, both, best)) best = climb(session, goal, both);
  }
  return best;
}

/** What a climb comes to for so many times the amount, split anew for the amount itself, and ways off that. */
function climbedAt(session: Session, goal: Goal, scale: number, best: Settled): Settled | undefined {
  const scaled = { ...goal, amount: goal.amount * scale };
  const path = startingFlow(session, scaled);
  if (path === undefined) return undefined;
  const { support, logPrices } = climb(session, scaled, prune(session, scaled, resize(session, scaled, path, 4)));
  const settled = settleGoal(session, goal, support.edges, best.sellAmount, logPrices);
  return settled && climb(session, goal, prune(session, goal, resize(session, goal, settled, 4)));
}

/** The flow over the pools of both, those that earn most first, as far as they close no cycle. */
function crossed(session: Session, goal: Goal, first: Settled, second: Settled): Settled | undefined {
  const profits = new Map<Edge, number>();
  for (const { support, profits: own } of [first, second])
    support.edges.forEach((edge, i) => {
      profits.set(edge, Math.max(profits.get(edge) ?? 0, own[i] as number));
    });
  const edges = [...profits].sort((a, b) => b[1] - a[1]).map(([edge]) => edge);
  return flowOver(session, goal, first.sellAmount, edges, new Map([...second.logPrices, ...first.logPrices]));
}
