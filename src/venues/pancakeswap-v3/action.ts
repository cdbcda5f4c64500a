import { VENUE_CODES } from "../codes.ts";
import { type CallbackPoolAction, callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** A pool with `pancakeV3SwapCallback`. */
export type PancakePoolAction = CallbackPoolAction<"pancake-v3-pool">;

export const pancakePoolEncoder = callbackPoolEncoder(VENUE_CODES["pancakeswap-v3"], "pancake-v3-pool");
