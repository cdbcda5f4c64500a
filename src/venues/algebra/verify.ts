import { VENUE_CODES } from "../codes.ts";
import { callbackPoolVerifier } from "../uniswap-v3/verify.ts";

export const algebraPoolVerifier = callbackPoolVerifier(VENUE_CODES.algebra, "algebra-pool");
