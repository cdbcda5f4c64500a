import { VENUE } from "../../settlement/venue-codes.ts";
import { callbackPoolVerifier } from "../uniswap-v3/verify.ts";

export const algebraPoolVerifier = callbackPoolVerifier(VENUE.ALGEBRA_POOL, "algebra-pool");
