import { VENUE } from "../../domain/venue-codes.ts";
import { type CallbackPoolAction, callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** A pool with `pancakeV3SwapCallback`. */
export type PancakePoolAction = CallbackPoolAction<"pancake-v3-pool">;

export const pancakePoolEncoder = callbackPoolEncoder(VENUE.PANCAKE_V3_POOL, "pancake-v3-pool");
