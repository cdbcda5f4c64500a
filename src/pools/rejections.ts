import type { PoolLimits, Rejection, VenueMinimum } from "./pool-math.ts";

/** The answers of pools that cannot serve a swap, which need nothing of the pool. */
export const UNSUPPORTED: Rejection = { rejected: "UNSUPPORTED" };
export const TOO_SMALL: Rejection = { rejected: "TOO_SMALL" };
export const NO_LIQUIDITY: Rejection = { rejected: "NO_LIQUIDITY" };
export const PAUSED: Rejection = { rejected: "PAUSED" };

/** The answer to a trade that is below the venue's own minimum. */
export function belowMinimum(of: VenueMinimum["of"], amount: bigint): Rejection {
  return { rejected: "TOO_SMALL", least: { of, amount } };
}

/** The limits of a direction in which nothing can be traded. */
export const NO_LIMITS: PoolLimits = { maxSell: 0n, maxBuy: 0n };

/** The answer to an amount above the most that can be served. */
export function tooLarge(most: bigint): Rejection {
  return most === 0n ? NO_LIQUIDITY : { rejected: "TOO_LARGE", most };
}
