import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { VENUE_CODES } from "../codes.ts";

/** A pool of Balancer V3, swapped under the vault's lock and paid there, exact-in or exact-out. */
export interface BalancerV3Action {
  readonly action: "balancer-v3-pool";
  readonly vault: Address;
  readonly pool: Address;
}

/** The pool, where the vault stands in its place. */
const MORE_BYTES = 20;

export const balancerV3Encoder: ActionEncoder<BalancerV3Action> = {
  code: VENUE_CODES["balancer-v3"],
  actions: ["balancer-v3-pool"],
  payment: "own",
  encode: ({ vault, pool }) => ({ pool: vault, detail: 0, more: pool }),
  usualMoreBytes: ({ curve }) => (curve === "balancer-v3" ? MORE_BYTES : 0),
};
