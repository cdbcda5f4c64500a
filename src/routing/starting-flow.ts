import { bestPath, type Rounding } from "./best-path.ts";
import type { Edge } from "./edges.ts";
import { type Goal, priceOf } from "./goal.ts";
import type { Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";

/** What twice as much or more has to bring at least, as a part of what was brought before, for a path not to be dry. */
const DRY = 1.25;

/** How amounts are rounded that integers have yet to find: not at all. */
const unrounded: Rounding = (_session, _edge, _sellAmount, pays) => pays;

/** The best single path for the goal's amount. */
export function startingFlow(session: Session, goal: Goal): Settled | undefined {
  // A path that is cheaper to touch can be one on which nothing comes out; where that is so of all, integers say so.
  if (goal.kind === "sell")
    return (
      settlePath(session, goal.amount, goal.costPerGas, undefined) ??
      settlePath(session, goal.amount, 0, undefined) ??
      settlePath(session, goal.amount, goal.costPerGas, unrounded)
    );
  const probe = bestPath(session, 1, 0, unrounded);
  if (probe === undefined) return undefined;
  let sellAmount = goal.amount / probe.buyAmount;
  let settled: Settled | undefined;
  let before: Settled | undefined;
  for (let attempt = 0; attempt < 40; attempt++) {
    const costPerGas = (goal.costPerGas * goal.amount) / sellAmount;
    settled = settlePath(session, sellAmount, costPerGas, unrounded);
    if (settled === undefined) return undefined;
    if (Math.abs(settled.buyAmount / goal.amount - 1) < 1e-6 || settled.stuck > 0) return settled;
    if (before !== undefined && isDry(goal, before, settled)) return settled;
    before = settled;
    const missing = (goal.amount - settled.buyAmount) / priceOf(settled, session.source);
    sellAmount = Math.min(Math.max(sellAmount + missing, sellAmount / 4), sellAmount * 4);
  }
  return settled;
}

/** Whether far more sold on one path brings so little more that the rest has to come from elsewhere. */
function isDry(goal: Goal, before: Settled, now: Settled): boolean {
  return (
    now.buyAmount < goal.amount && now.sellAmount > 2 * before.sellAmount && now.buyAmount < DRY * before.buyAmount
  );
}

function settlePath(
  session: Session,
  sellAmount: number,
  costPerGas: number,
  rounding: Rounding | undefined,
): Settled | undefined {
  const path = bestPath(session, sellAmount, costPerGas, rounding);
  if (path === undefined) return undefined;
  const start = new Map<number, number>();
  const rates: number[] = [];
  let amount = sellAmount;
  for (const edge of path.edges) {
    rates.push(edge.curve.marginalRate(amount));
    amount = edge.curve.buyAmountFor(amount);
  }
  let logPrice = 0;
  for (let i = path.edges.length - 1; i >= 0; i--) {
    logPrice += Math.log(rates[i] as number);
    start.set((path.edges[i] as Edge).from, logPrice);
  }
  return settle(session, path.edges, sellAmount, start);
}
