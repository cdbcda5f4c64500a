import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A constant-product pair paid before its `swap`; `feePpm` is its fee in parts per million of what goes in. */
export interface PairAction {
  readonly action: "v2-pair";
  readonly pair: Address;
  readonly feePpm: number;
}

export const pairEncoder: ActionEncoder<PairAction> = {
  code: VENUE.V2_PAIR,
  actions: ["v2-pair"],
  delivery: "ahead",
  encode: ({ pair, feePpm }) => ({ pool: pair, detail: feePpm }),
};
