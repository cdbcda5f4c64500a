import { concat, numberToHex } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import { INFINITY_CL } from "./pool-key.ts";

/** A pool inside PancakeSwap Infinity's CLPoolManager, named by its terms and the fill's tokens; paid in `lockAcquired`. */
export interface InfinityClAction {
  readonly action: "infinity-cl-pool";
  readonly manager: Address;
  /** As the pool's key has it, its mark for a dynamic fee included. */
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Address;
  /** Hooks that are called, one bit each. */
  readonly registration: number;
}

/** The part of a key that a fill has beside its fee. `spacing`: the tick spacing, or the bin step. */
export function keyBytes(spacing: number, registration: number, hooks: Address): Hex {
  return concat([numberToHex(spacing, { size: 3 }), numberToHex(registration, { size: 2 }), hooks]);
}

export const infinityClEncoder: ActionEncoder<InfinityClAction> = {
  code: VENUE.INFINITY_CL_POOL,
  actions: ["infinity-cl-pool"],
  delivery: "own",
  encode: ({ manager, fee, tickSpacing, hooks, registration }) => ({
    pool: manager,
    detail: fee,
    more: keyBytes(tickSpacing, registration, hooks),
  }),
  usualMoreBytes: ({ curve, state }) =>
    curve === "concentrated" && state.family === INFINITY_CL ? MORE_BYTES.INFINITY_CL_POOL : 0,
};
