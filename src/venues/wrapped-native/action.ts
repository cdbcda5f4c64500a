import { type Address, ZERO_ADDRESS } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** The wrapped native token, which the executor knows; the direction follows from the fill's tokens. */
export interface WrapAction {
  readonly action: "wrapped-native";
  readonly wrapped: Address;
}

export const wrapEncoder: ActionEncoder<WrapAction> = {
  code: VENUE.WRAPPED_NATIVE,
  actions: ["wrapped-native"],
  delivery: "own",
  encode: () => ({ pool: ZERO_ADDRESS, detail: 0 }),
};
