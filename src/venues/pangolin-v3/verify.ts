import { VENUE } from "../../settlement/venue-codes.ts";
import { callbackPoolVerifier } from "../uniswap-v3/verify.ts";

export const pangolinPoolVerifier = callbackPoolVerifier(VENUE.PANGOLIN_V3_POOL, "pangolin-v3-pool");
