import { bestPath, exactly, type Rounding } from "./best-path.ts";
import type { Edge } from "./edges.ts";
import { type Goal, isBetter, netOf, priceOf } from "./goal.ts";
import type { Session } from "./session.ts";
import { type Settled, settle } from "./settled.ts";

/** What twice as much or more has to bring at least, as a part of what was brought before, for a path not to be dry. */
const DRY = 1.25;

/** How amounts are rounded that integers have yet to find: not at all. */
const unrounded: Rounding = (_session, _edge, _sellAmount, pays) => pays;

/** As integers have it, and nothing where a pool does not take all of it. */
const allOrNothing: Rounding = (session, edge, sellAmount, pays) =>
  sellAmount > edge.curve.maxSell ? 0 : exactly(session, edge, sellAmount, pays);

/** The best single path for the goal's amount. */
export function startingFlow(session: Session, goal: Goal): Settled | undefined {
  if (goal.kind === "sell") return sellingFlow(session, goal);
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

/** The path for an amount to sell; where nothing comes out on any, integers say so on the one that would be the best. */
function sellingFlow(session: Session, goal: Goal): Settled | undefined {
  const { amount, costPerGas } = goal;
  const widest = settlePath(session, amount, costPerGas, exactly);
  // What pays most may not take all of it.
  const whole =
    widest !== undefined && widest.stuck > 0 ? settlePath(session, amount, costPerGas, allOrNothing) : undefined;
  const path = whole ?? widest;
  if (path !== undefined && netOf(session, goal, path) > 0) return path;
  // Where gas takes it all, what is cheapest to touch stands in the way of what pays more, or anything, further on.
  const other = costPerGas > 0 ? settlePath(session, amount, costPerGas, exactly, 0) : undefined;
  if (path === undefined) return other ?? settlePath(session, amount, costPerGas, unrounded);
  // Floats may not tell what they pay from nothing beside their gas: then the other one pays as much or more.
  return other === undefined || isBetter(session, goal, path, other) ? path : other;
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
  rounding: Rounding,
  labelCost = costPerGas,
): Settled | undefined {
  const path = bestPath(session, sellAmount, costPerGas, rounding, labelCost);
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
