import { VENUE } from "../../settlement/venue-codes.ts";
import { callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** Pools with `pangolinv3SwapCallback`. */
export const pangolinPoolEncoder = callbackPoolEncoder(VENUE.PANGOLIN_V3_POOL, "pangolin-v3-pool");
