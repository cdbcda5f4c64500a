import { SwapError } from "../../domain/swap-error.ts";
import { type Account, accountName, type RateLimit } from "../keys/key-store.ts";
import { costOf } from "./call-costs.ts";
import type { Decision } from "./gcra.ts";
import { limitHeaders } from "./limit-headers.ts";
import type { Limiter } from "./limiter.ts";

/** What a call was charged, and what its answer says of the limit. */
export interface Charge {
  readonly units: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Set when the account has used up its rate: the call is not made, and costs nothing. */
  readonly refusal?: SwapError;
}

/** Charges calls to accounts. */
export type ChargeCall = (account: Account, method: string) => Charge | Promise<Charge>;

/** @param byDefault the limit of accounts that have none of their own; undefined: none */
export function createChargeCall(limiter: Limiter, byDefault: RateLimit | undefined): ChargeCall {
  return (account, method) => {
    const limit = account.limit ?? byDefault;
    const units = costOf(method);
    if (limit === undefined) return { units, headers: {} };
    const settle = (decision: Decision) => chargeOf(decision, limit, units);
    const decision = limiter.take(accountName(account), limit, units);
    return decision instanceof Promise ? decision.then(settle) : settle(decision);
  };
}

function chargeOf(decision: Decision, limit: RateLimit, units: number): Charge {
  const headers = limitHeaders(limit, decision);
  if (decision.allowed) return { units, headers };
  const retryAfterSeconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
  const refusal = new SwapError(
    "TOO_MANY_REQUESTS",
    `the account has used up its rate of ${limit.unitsPerSecond} units per second, ${limit.burst} at once - ` +
      `this call costs ${units} and can be made again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
  return { units: 0, headers, refusal };
}
