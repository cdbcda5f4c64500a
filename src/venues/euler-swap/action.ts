import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE } from "../../settlement/venue-codes.ts";

/** A pool of EulerSwap, paid before its `swap`; an exact output is paid what its `computeQuote` says. */
export interface EulerSwapAction {
  readonly action: "euler-swap-pool";
  readonly pool: Address;
}

export const eulerSwapEncoder: ActionEncoder<EulerSwapAction> = {
  code: VENUE.EULER_SWAP_POOL,
  actions: ["euler-swap-pool"],
  delivery: "own",
  encode: ({ pool }) => ({ pool, detail: 0 }),
};
