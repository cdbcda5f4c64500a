import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A pool of Solidly's kind, paid before its `swap`; `feePpm` is its fee, used where an exact output is asked for. */
export interface SolidlyAction {
  readonly action: "solidly-pool";
  readonly pool: Address;
  readonly feePpm: number;
}

export const solidlyEncoder: ActionEncoder<SolidlyAction> = {
  code: VENUE.SOLIDLY_POOL,
  actions: ["solidly-pool"],
  delivery: "ahead",
  encode: ({ pool, feePpm }) => ({ pool, detail: feePpm }),
};
