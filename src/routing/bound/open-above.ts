import { amountOf, type Goal, netOf } from "../flow/goal.ts";
import type { Settled } from "../flow/settled.ts";
import type { Session } from "../session/session.ts";
import type { PriceProof } from "./measure.ts";

/** What a proof leaves open above a flow net of its gas, as a part of the trade's value. */
export function openAbove(session: Session, goal: Goal, proof: PriceProof, flow: Settled): number {
  const { sellPrice, earned, unavoidable } = proof;
  const most =
    goal.kind === "sell"
      ? sellPrice * goal.amount + earned - unavoidable
      : -(goal.amount - earned + unavoidable) / sellPrice;
  const amount = amountOf(goal, flow);
  return amount > 0 ? (most - netOf(session, goal, flow)) / amount : Number.POSITIVE_INFINITY;
}
