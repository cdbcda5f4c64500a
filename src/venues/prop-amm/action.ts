import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A contract with IPropAMM's `swap`: sent what is sold before the call, or drawing it by an allowance. Exact-in only. */
export interface PropAmmAction {
  readonly action: "prop-amm";
  readonly venue: Address;
  readonly draws: boolean;
}

export const propAmmEncoder: ActionEncoder<PropAmmAction> = {
  code: VENUE.PROP_AMM,
  actions: ["prop-amm"],
  delivery: "own",
  encode: ({ venue, draws }) => ({ pool: venue, detail: draws ? 1 : 0 }),
};
