import { VENUE_CODES } from "../codes.ts";
import { callbackPoolVerifier } from "../uniswap-v3/verify.ts";

export const pancakePoolVerifier = callbackPoolVerifier(VENUE_CODES["pancakeswap-v3"], "pancake-v3-pool");
