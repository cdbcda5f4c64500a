import { type Goal, gasAtPrice } from "../session/search.ts";
import type { PriceProof } from "./measure.ts";

/**
 * Part of the value by which a bound is widened against float errors: floats carry 53 bits, curves lose some 10 of
 * them in roots and sums, and a universe has some 10^5 terms; this leaves a factor of a hundred.
 */
export const FLOAT_ERROR = 1e-9;

/**
 * The bound as an integer. Exact-in: most bought base units net of cost. Exact-out: least sold base units with cost.
 * `wrapGas`: what no route does without besides pools.
 */
export function boundOf(proof: PriceProof, goal: Goal, wrapGas: number): bigint {
  const most = mostProven(proof, goal, wrapGas);
  return goal.side === "exactIn" ? BigInt(Math.ceil(most)) : BigInt(Math.max(0, Math.floor(-most)));
}

/**
 * The most that flows can be worth by `netOf`. Exact-in, with the price of the bought token at 1: price of the sold token *
 * sellAmount + what pools earn - uses that every route needs. Exact-out: the same turned round and divided by the
 * price of the sold token.
 */
export function mostProven(proof: PriceProof, goal: Goal, wrapGas = 0, floatError = FLOAT_ERROR): number {
  const unavoidable = proof.unavoidable + wrapGas * gasAtPrice(goal, proof.sellPrice);
  const slack = floatError * (proof.volume + unavoidable);
  if (goal.side === "exactIn") return proof.sellPrice * goal.amount + proof.earned - unavoidable + slack;
  return -(goal.amount - proof.earned + unavoidable - slack) / proof.sellPrice;
}

/** An exact-out trade is not proven to cost more than `mostSold`, where a proof holds for those that sell no more than that. */
export function noMoreThan(proof: PriceProof, goal: Goal, mostSold: number): PriceProof {
  if (goal.side === "exactIn") return proof;
  const earned = goal.amount + proof.unavoidable - mostSold * proof.sellPrice;
  return earned > proof.earned ? { ...proof, earned } : proof;
}
