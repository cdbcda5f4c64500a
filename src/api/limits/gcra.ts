import type { RateLimit } from "../keys/key-store.ts";

/** Decision of a limiter on one call. */
export interface Decision {
  readonly allowed: boolean;
  /** Whole units that could be used at once after this decision. */
  readonly remaining: number;
  /** Milliseconds until all units are back. */
  readonly fullAfterMs: number;
  /** Milliseconds until this call would be allowed; 0 when it is. */
  readonly retryAfterMs: number;
  /** The limit that was held to, where it is not the account's whole one. */
  readonly limit?: RateLimit;
}

/**
 * The generic cell rate algorithm (ITU-T I.371): one number per account, the time at which all units are back. Exact,
 * without windows at whose borders twice the rate could pass.
 * @param fullAt that number so far, milliseconds; undefined for an account that was not seen
 * @param cost units of the call; more than the burst counts as the burst, or the call could never be made
 * @returns the decision, and the number to keep
 */
export function decide(
  fullAt: number | undefined,
  limit: RateLimit,
  cost: number,
  now: number,
): { readonly decision: Decision; readonly fullAt: number } {
  const msPerUnit = 1_000 / limit.unitsPerSecond;
  const spanMs = limit.burst * msPerUnit;
  const before = Math.max(fullAt ?? now, now);
  const after = before + Math.min(cost, limit.burst) * msPerUnit;
  const excess = after - now - spanMs;
  // Sums of fractions of milliseconds are off by far less than this.
  const allowed = excess < 1e-6;
  const kept = allowed ? after : before;
  return { fullAt: kept, decision: { ...bucketState(kept, limit, now), allowed, retryAfterMs: allowed ? 0 : excess } };
}

/** Charges for what has been done already: the account may come to owe units, which come back before any can be used. */
export function debit(
  fullAt: number | undefined,
  limit: RateLimit,
  cost: number,
  now: number,
): { readonly decision: Decision; readonly fullAt: number } {
  const kept = Math.max(fullAt ?? now, now) + (cost * 1_000) / limit.unitsPerSecond;
  return { fullAt: kept, decision: { ...bucketState(kept, limit, now), allowed: true, retryAfterMs: 0 } };
}

function bucketState(fullAt: number, limit: RateLimit, now: number): Pick<Decision, "remaining" | "fullAfterMs"> {
  return { remaining: unitsLeft(fullAt - now, limit), fullAfterMs: fullAt - now };
}

/** Whole units that can be used at once where all are back after so many milliseconds. */
export function unitsLeft(fullAfterMs: number, { unitsPerSecond, burst }: RateLimit): number {
  const msPerUnit = 1_000 / unitsPerSecond;
  return Math.max(0, Math.floor((burst * msPerUnit - fullAfterMs) / msPerUnit + 1e-6));
}
