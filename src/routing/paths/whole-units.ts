import { mathOf } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import { sellAmountFor } from "../plan/sell-amount.ts";

/** Base units below which pools' rounding is part of the choice. */
const COARSE = 1e6;

/** Amount that a pool pays, given that its curve says `pays`: computed in integers if that makes a difference. */
export function paidBy({ pool, direction }: Edge, sellAmount: number, pays: number, time: bigint): number | undefined {
  if (pays >= COARSE && sellAmount >= COARSE) return pays;
  const quote = mathOf(pool).quoteExactIn(pool.state, direction, BigInt(Math.floor(sellAmount)), time);
  if (isRejection(quote)) return quote.rejected === "TOO_SMALL" ? undefined : Math.floor(pays) || undefined;
  return Number(quote.amount) || undefined;
}

/** Amount that an edge takes for an amount to buy, computed in the pool's integers if that makes a difference. */
export function takenBy(edge: Edge, buyAmount: number, time: bigint): number | undefined {
  const { pool, direction, curve } = edge;
  const amount = sellAmountFor(edge, buyAmount);
  if (buyAmount < COARSE || amount < COARSE) {
    const quote = mathOf(pool).quoteExactOut(pool.state, direction, BigInt(Math.ceil(buyAmount)), time);
    return isRejection(quote) ? undefined : Number(quote.amount);
  }
  return amount < curve.maxSell ? amount : undefined;
}
