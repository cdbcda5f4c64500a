import { mathOf } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import { sellAmountFor } from "../edges/trade-at.ts";

/**
 * Logarithms of what the tokens before each edge of a chain are worth at the margin, if that behind the last one is worth
 * `logPrice`: for an amount that goes through it, of which each edge pays what `unit` makes of that.
 */
export function pricesAlong(
  edges: readonly Edge[],
  sellAmount: number,
  logPrice = 0,
  unit = (pays: number) => pays,
): Map<number, number> {
  let amount = sellAmount;
  const rates = edges.map(({ curve }) => {
    const rate = curve.marginalRate(amount);
    amount = unit(curve.buyAmountFor(amount));
    return rate;
  });
  const prices = new Map<number, number>();
  for (let i = edges.length - 1; i >= 0; i--) {
    logPrice += Math.log(rates[i] as number);
    prices.set((edges[i] as Edge).from, logPrice);
  }
  return prices;
}

/** Base units below which pools' rounding is part of the choice. */
const COARSE = 1e6;

/** Amount that a pool pays, whether it takes all of what is sold or not: computed in integers if that makes a difference. */
export function paidBy({ pool, direction, curve }: Edge, sellAmount: number, time: bigint): number | undefined {
  const pays = curve.buyAmountFor(sellAmount);
  if (pays >= COARSE && sellAmount >= COARSE) return pays;
  const quote = mathOf(pool).quoteExactIn(pool.state, direction, BigInt(Math.floor(sellAmount)), time);
  if (isRejection(quote)) return quote.rejected === "TOO_SMALL" ? undefined : Math.floor(pays) || undefined;
  return Number(quote.amount) || undefined;
}

/** Amount that an edge takes for an amount to buy, computed in the pool's integers if that makes a difference. */
export function takenBy(edge: Edge, buyAmount: number, time: bigint): number | undefined {
  const { pool, direction, curve } = edge;
  const amount = soldFor(edge, buyAmount);
  if (buyAmount < COARSE || amount < COARSE) {
    const quote = mathOf(pool).quoteExactOut(pool.state, direction, BigInt(Math.ceil(buyAmount)), time);
    return isRejection(quote) ? undefined : Number(quote.amount);
  }
  return amount < curve.maxSell ? amount : undefined;
}

/** Amount that an edge has to sell to pay `buyAmount`, in floats; its maximum if that does not pay it. */
function soldFor({ depth, spot, curve }: Edge, buyAmount: number): number {
  // A hyperbola pays spot * x / (1 + x / depth); NaN is any other curve.
  const sell = buyAmount / (spot - buyAmount / depth);
  return sell >= 0 && sell <= TRUSTED_DEPTHS * depth ? sell : sellAmountFor(curve, buyAmount);
}
