import { VENUE } from "../../settlement/venue-codes.ts";
import { callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** Pools with `pancakeV3SwapCallback`. */
export const pancakePoolEncoder = callbackPoolEncoder(VENUE.PANCAKE_V3_POOL, "pancake-v3-pool");
