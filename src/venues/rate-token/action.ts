import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/**
 * A token with wstETH's `wrap(amount)` and `unwrap(amount)`, which draw from and pay their caller; which of the two
 * follows from the fill's tokens. Exact-in only.
 */
export interface RateTokenAction {
  readonly action: "rate-token";
  readonly token: Address;
}

export const rateTokenEncoder: ActionEncoder<RateTokenAction> = {
  code: VENUE.RATE_TOKEN,
  actions: ["rate-token"],
  delivery: "own",
  encode: ({ token }) => ({ pool: token, detail: 0 }),
};
