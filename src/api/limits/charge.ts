import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import { type Account, accountName, type RateLimit } from "../keys/key-store.ts";
import { costOf, surchargeOf } from "./call-costs.ts";
import type { Decision } from "./gcra.ts";
import { limitHeaders } from "./limit-headers.ts";
import type { Limiter } from "./limiter.ts";

/** Units charged for a call, and the limit headers of its answer. */
export interface Charge {
  readonly units: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Set when the account has used up its rate: the call is not made, and costs nothing. */
  readonly refusal?: SwapError;
  /** Charges for more units before the call is made: a refusal is set as above. */
  more(units: number): Omit<Charge, "settle" | "more"> | Promise<Omit<Charge, "settle" | "more">>;
  /** Charges for the steps that the call's searches took, once it is over. */
  settle(steps: number): Surcharge | Promise<Surcharge>;
}

/** Units charged besides the method's, and the limit headers of the answer after them. */
export type Surcharge = Pick<Charge, "units" | "headers">;

/** Charges calls to accounts. */
export type ChargeCall = (account: Account, method: string) => Charge | Promise<Charge>;

/** @param byDefault the limit of accounts that have none of their own; undefined: none */
export function createChargeCall(limiter: Limiter, byDefault: RateLimit | undefined): ChargeCall {
  return (account, method) => {
    const limit = account.limit ?? byDefault;
    const units = costOf(method);
    if (limit === undefined)
      return { units, headers: {}, more: unlimited, settle: (steps) => unlimited(surchargeOf(steps)) };
    const name = accountName(account);
    /** Last limit headers. */
    let headers: Surcharge["headers"] = {};
    const settle = (steps: number) => {
      const more = surchargeOf(steps);
      if (more === 0) return { units: 0, headers };
      const told = (decision: Decision) => ({ units: more, headers: limitHeaders(decision.limit ?? limit, decision) });
      const decision = limiter.debit(name, limit, more);
      return decision instanceof Promise ? decision.then(told) : told(decision);
    };
    const charged = (decision: Decision) => {
      const charge = chargeOf(decision, limit, units);
      headers = charge.headers;
      const more = (units: number) => {
        const taken = limiter.take(name, limit, units);
        const chargedMore = (decided: Decision) => {
          const charge = chargeOf(decided, limit, units);
          headers = charge.headers;
          return charge;
        };
        return taken instanceof Promise ? taken.then(chargedMore) : chargedMore(taken);
      };
      return { ...charge, more, settle };
    };
    const decision = limiter.take(name, limit, units);
    return decision instanceof Promise ? decision.then(charged) : charged(decision);
  };
}

function unlimited(units: number): Surcharge {
  return { units, headers: {} };
}

function chargeOf(decision: Decision, whole: RateLimit, units: number): Omit<Charge, "settle" | "more"> {
  const limit = decision.limit ?? whole;
  const headers = limitHeaders(limit, decision);
  if (decision.allowed) return { units, headers };
  const retryAfterSeconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1_000));
  const refusal = refuse(
    "TOO_MANY_REQUESTS",
    `the account has used up its rate of ${limit.unitsPerSecond} units per second, ${limit.burst} at once - ` +
      `this call costs ${units} and can be made again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
  return { units: 0, headers, refusal };
}
