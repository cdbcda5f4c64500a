import { mostCarrying } from "../bound/most-carrying.ts";
import type { PaidFlow } from "../charge/paid-flow.ts";
import { type Goal, resize } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { choosePools } from "./choose-pools.ts";
import { endedAtTicks, flowToTicks } from "./end-at-ticks.ts";
import { flowOver } from "./flow-over.ts";
import { linkUp } from "./link-up.ts";

/** Part of a touch that a pool may fall short of being worth it for a route to be tried over it as well, and what it counts as then. */
const NEARLY = 0.5;
const LEAST_PART = 0.01;
/** Part of the largest value that an edge carries below which it carries nothing. */
const TRACE = 1e-4;

/**
 * Routes over the pools that a flow takes that pays parts of touches, and those that nearly are worth it: as many as go
 * together, those first that carry most; and those and the flow's own, with links where these leave too little.
 */
export function paidRoutes(session: Session, goal: Goal, flow: Settled, paid: PaidFlow): Settled[] {
  const { parts, sells, profits, costs, logPrices } = paid;
  const touched = paid.edges.flatMap((edge, i) => {
    if ((profits[i] as number) < -NEARLY * (costs[i] as number)) return [];
    return [{ edge, part: Math.max(LEAST_PART, parts[i] as number), sells: sells[i] as number }];
  });
  const carrying = touched.map(({ edge, part, sells }) => ({
    edge,
    value: part * sells * Math.exp(logPrices.get(edge.from) as number),
  }));
  const worth = flow.sellAmount * Math.exp(logPrices.get(session.source) as number);
  const linked = [...new Set([...linkUp(session, { touched, logPrices }, worth), ...flow.support.edges])];
  const sold = new Map(flow.support.edges.map((edge, i) => [edge, flow.sells[i] as number]));
  paid.edges.forEach((edge, i) => {
    sold.set(edge, sells[i] as number);
  });
  return [mostCarrying(carrying, TRACE), linked].flatMap((edges) => {
    const wanted = edges.map((edge) => sold.get(edge) ?? Number.POSITIVE_INFINITY);
    // Pools that do not end at ticks are left out for gas that they need not pay.
    const pruned =
      flowToTicks(session, goal, edges, wanted, flow.sellAmount, paid) ??
      flowOver(session, goal, flow.sellAmount, edges, logPrices);
    if (pruned === undefined) return [];
    return [endedAtTicks(session, goal, resize(session, goal, choosePools(session, goal, pruned, edges), 12), paid)];
  });
}
