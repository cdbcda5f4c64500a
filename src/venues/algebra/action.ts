import { VENUE } from "../../settlement/venue-codes.ts";
import { type CallbackPoolAction, callbackPoolEncoder } from "../uniswap-v3/action.ts";

/** A pool with `algebraSwapCallback`. */
export type AlgebraPoolAction = CallbackPoolAction<"algebra-pool">;

export const algebraPoolEncoder = callbackPoolEncoder(VENUE.ALGEBRA_POOL, "algebra-pool");
