import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A pool of WOOFi: sent what is sold, then asked to swap. Exact-in only. */
export interface WoofiAction {
  readonly action: "woofi-pool";
  readonly pool: Address;
}

export const woofiEncoder: ActionEncoder<WoofiAction> = {
  code: VENUE.WOOFI_POOL,
  actions: ["woofi-pool"],
  delivery: "own",
  encode: ({ pool }) => ({ pool, detail: 0 }),
};
