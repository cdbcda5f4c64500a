import { takesAll } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Goal } from "../flow/goal.ts";
import { type Settled, settle } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import { bestPath } from "./best-path.ts";
import { cheapestPath } from "./cheapest-path.ts";
import { exactly, type Rounding } from "./whole-units.ts";

/** How many times less is bought next where no path pays an amount. */
const FEWER = 4;

/** How amounts are rounded that integers have yet to find: not at all. */
const unrounded: Rounding = (_session, _edge, _sellAmount, pays) => pays;

/** As integers have it, and nothing where a pool does not take all of it. */
const allOrNothing: Rounding = (session, edge, sellAmount, pays) =>
  takesAll(edge.curve, sellAmount) ? exactly(session, edge, sellAmount, pays) : 0;

/** The best single path for the goal's amount, or for a part of an amount to buy that none pays. */
export function startingFlow(session: Session, goal: Goal): Settled | undefined {
  if (goal.kind === "sell") return sellingFlow(session, goal);
  for (let { amount } = goal; amount >= 1 && !session.over(); amount /= FEWER) {
    const flow = buyingFlow(session, { ...goal, amount });
    if (flow !== undefined) return flow;
  }
  return settlePath(session, 1, 0, unrounded);
}

function buyingFlow(session: Session, { amount, costPerGas }: Goal): Settled | undefined {
  const path = cheapestPath(session, amount, costPerGas);
  return path && settleOver(session, path.edges, path.sellAmount);
}

/** The path for an amount to sell; where nothing comes out on any, integers say so on the one that would be the best. */
function sellingFlow(session: Session, { amount, costPerGas }: Goal): Settled | undefined {
  const widest = settlePath(session, amount, costPerGas, exactly);
  if (widest === undefined) return settlePath(session, amount, costPerGas, unrounded);
  if (widest.stuck === 0) return widest;
  // A path that pays less may take all of it.
  session.missed.noRoom = true;
  return settlePath(session, amount, costPerGas, allOrNothing) ?? widest;
}

function settlePath(session: Session, sellAmount: number, costPerGas: number, rounding: Rounding): Settled | undefined {
  const path = bestPath(session, sellAmount, costPerGas, rounding);
  return path && settleOver(session, path.edges, sellAmount);
}

export function settleOver(session: Session, edges: readonly Edge[], sellAmount: number): Settled | undefined {
  const start = new Map<number, number>();
  const rates: number[] = [];
  let amount = sellAmount;
  for (const edge of edges) {
    rates.push(edge.curve.marginalRate(amount));
    amount = edge.curve.buyAmountFor(amount);
  }
  let logPrice = 0;
  for (let i = edges.length - 1; i >= 0; i--) {
    logPrice += Math.log(rates[i] as number);
    start.set((edges[i] as Edge).from, logPrice);
  }
  return settle(session, edges, { kind: "sell", amount: sellAmount }, start);
}
