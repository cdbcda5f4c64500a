import { mathOf, type Pool } from "../pools/pool.ts";
import { isRejection } from "../pools/pool-math.ts";
import type { FirmOrderRequest } from "../quoting/maker-ports.ts";

/**
 * Level that a maker has to meet: the one that the quote was searched over, or its current one if that is worse, since
 * it was told before the request. Undefined if current levels no longer reach the amount: the maker then promises
 * nothing.
 */
export function levelToMeet(
  { level, amount, takerToken, makerToken }: FirmOrderRequest,
  levels: readonly Pool[],
  time: bigint,
): FirmOrderRequest["level"] {
  const pool = levels.find(({ tokens }) => tokens.includes(takerToken) && tokens.includes(makerToken));
  if (level === undefined || pool === undefined) return undefined;
  const direction = { sell: pool.tokens.indexOf(takerToken), buy: pool.tokens.indexOf(makerToken) };
  const exactIn = amount.kind === "exactIn";
  const now = exactIn
    ? mathOf(pool).quoteExactIn(pool.state, direction, amount.takerAmount, time)
    : mathOf(pool).quoteExactOut(pool.state, direction, amount.makerAmount, time);
  if (isRejection(now)) return undefined;
  const worse = exactIn ? now.amount < level.amount : now.amount > level.amount;
  return worse ? { ...level, amount: now.amount } : level;
}
