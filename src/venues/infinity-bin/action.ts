import type { Address } from "../../domain/address.ts";
import type { ActionEncoder } from "../../settlement/action-codec.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import { keyBytes } from "../infinity-cl/action.ts";

/** A pool inside PancakeSwap Infinity's BinPoolManager, named by its terms and the fill's tokens; paid in `lockAcquired`. */
export interface InfinityBinAction {
  readonly action: "infinity-bin-pool";
  readonly manager: Address;
  /** As the pool's key has it, its mark for a dynamic fee included. */
  readonly fee: number;
  readonly binStep: number;
  readonly hooks: Address;
  /** Hooks that are called, one bit each. */
  readonly registration: number;
}

export const infinityBinEncoder: ActionEncoder<InfinityBinAction> = {
  code: VENUE.INFINITY_BIN_POOL,
  actions: ["infinity-bin-pool"],
  delivery: "own",
  encode: ({ manager, fee, binStep, hooks, registration }) => ({
    pool: manager,
    detail: fee,
    more: keyBytes(binStep, registration, hooks),
  }),
  usualMoreBytes: ({ curve, state }) =>
    curve === "bins" && state.key !== undefined ? MORE_BYTES.INFINITY_BIN_POOL : 0,
};
