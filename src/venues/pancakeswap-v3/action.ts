import { VENUE_CODES } from "../codes.ts";
import { callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** Pools with `pancakeV3SwapCallback`. */
export const pancakePoolEncoder = callbackPoolEncoder(VENUE_CODES["pancakeswap-v3"], "pancake-v3-pool");
