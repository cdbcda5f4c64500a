import { VENUE } from "../../settlement/venue-codes.ts";
import { callbackPoolVerifier } from "../uniswap-v3/verify.ts";

export const pancakePoolVerifier = callbackPoolVerifier(VENUE.PANCAKE_V3_POOL, "pancake-v3-pool");
