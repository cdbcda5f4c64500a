import { concat, numberToHex } from "viem";
import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";

/** A pool inside Uniswap V4's PoolManager, named by its terms and the fill's tokens; paid in `unlockCallback`. */
export interface V4PoolAction {
  readonly action: "v4-pool";
  readonly manager: Address;
  /** As the pool's key has it, its mark for a dynamic fee included. */
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
}

export const v4PoolEncoder: ActionEncoder<V4PoolAction> = {
  code: VENUE.V4_POOL,
  actions: ["v4-pool"],
  delivery: "own",
  encode: ({ manager, fee, tickSpacing, hooks }) => ({
    pool: manager,
    detail: fee,
    more: concat([numberToHex(tickSpacing, { size: 3 }), hooks]),
  }),
  usualMoreBytes: ({ curve, state }) => (curve === "concentrated" && state.key !== undefined ? MORE_BYTES.V4_POOL : 0),
};
