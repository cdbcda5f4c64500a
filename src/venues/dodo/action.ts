import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A pool of DODO V2: sent what is sold, then asked to sell it. Exact-in only. */
export interface DodoAction {
  readonly action: "dodo-pool";
  readonly pool: Address;
  readonly baseToken: Address;
}

export const dodoEncoder: ActionEncoder<DodoAction> = {
  code: VENUE.DODO_POOL,
  actions: ["dodo-pool"],
  delivery: "own",
  encode: ({ pool, baseToken }, { sellToken }) => ({ pool, detail: sellToken === baseToken ? 1 : 0 }),
};
