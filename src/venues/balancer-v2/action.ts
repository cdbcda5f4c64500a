import { concat, hexToNumber, size, slice } from "viem";
import { type Address, type Hex, toAddress } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/**
 * A pool of Balancer V2 by its id (32 bytes: the pool's address and 12 more), swapped in the vault by GIVEN_IN or
 * GIVEN_OUT; its own share token is a token like the others. Wrapped native only.
 */
export interface BalancerV2Action {
  readonly action: "balancer-v2-pool";
  readonly vault: Address;
  readonly poolId: Hex;
}

/** The id begins with the pool's address; its other 12 bytes are the detail and the end of what follows. */
export const balancerV2Encoder: ActionEncoder<BalancerV2Action> = {
  code: VENUE.BALANCER_V2_POOL,
  actions: ["balancer-v2-pool"],
  delivery: "own",
  encode({ vault, poolId }) {
    if (size(poolId) !== 32) throw new RangeError("a pool id of Balancer V2 has 32 bytes");
    return {
      pool: toAddress(slice(poolId, 0, 20)),
      detail: hexToNumber(slice(poolId, 20, 23)),
      more: concat([vault, slice(poolId, 23)]),
    };
  },
  usualMoreBytes: ({ curve }) =>
    curve === "weighted" || curve === "composable-stable" || curve === "gyro" ? MORE_BYTES.BALANCER_V2_POOL : 0,
};
