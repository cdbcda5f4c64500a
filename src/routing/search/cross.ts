import type { Edge } from "../edges/edges.ts";
import { amountOf, type Goal, netOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { climb, isVisiblyBetter } from "./climb.ts";
import { flowOver } from "./flow-over.ts";
import type { Stage } from "./stage.ts";
import type { Trail } from "./trail.ts";

/** How far behind a flow has to be, as a part of the trade: those that are nearer mostly differ by dust. */
const APART = 0.001;

/**
 * The flow over what it has together with others that `trail` says climbs ended with, as long as that is better. Each of these
 * is about the best one of its order of tokens, and one that is behind by far may still do a part of the trade better.
 */
export function crossed(session: Session, goal: Goal, start: Settled, trail: Trail, stage: Stage): Settled {
  const net = netOf(session, goal, start);
  const others = trail.ends
    .map((flow) => ({ flow, behind: net - netOf(session, goal, flow) }))
    .filter(({ behind }) => behind > APART * amountOf(goal, start))
    .sort((a, b) => a.behind - b.behind);
  let best = start;
  for (const { flow } of others) {
    if (session.over()) break;
    const both = together(session, goal, best, flow);
    // What is not better by itself seldom becomes so by further ways.
    if (both === undefined || !isVisiblyBetter(session, goal, both, best)) continue;
    best = climb(session, goal, both, { trail, stage });
  }
  return best;
}

/** The flow over the pools of both, those that earn most first, as far as they close no cycle. */
function together(session: Session, goal: Goal, first: Settled, second: Settled): Settled | undefined {
  const profits = new Map<Edge, number>();
  for (const { support, profits: own } of [first, second])
    support.edges.forEach((edge, i) => {
      profits.set(edge, Math.max(profits.get(edge) ?? 0, own[i] as number));
    });
  const edges = [...profits].sort((a, b) => b[1] - a[1]).map(([edge]) => edge);
  return flowOver(session, goal, first.sellAmount, edges, new Map([...second.logPrices, ...first.logPrices]));
}
