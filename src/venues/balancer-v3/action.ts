import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** A pool of Balancer V3, swapped under the vault's lock and paid there, exact-in or exact-out. */
export interface BalancerV3Action {
  readonly action: "balancer-v3-pool";
  readonly vault: Address;
  readonly pool: Address;
}

export const balancerV3Encoder: ActionEncoder<BalancerV3Action> = {
  code: VENUE.BALANCER_V3_POOL,
  actions: ["balancer-v3-pool"],
  delivery: "own",
  encode: ({ vault, pool }) => ({ pool: vault, detail: 0, more: pool }),
  usualMoreBytes: ({ curve }) => (curve === "balancer-v3" ? MORE_BYTES.BALANCER_V3_POOL : 0),
};
