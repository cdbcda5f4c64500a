import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import { verifyKey } from "../infinity-cl/verify.ts";
import type { InfinityBinAction } from "./action.ts";

/** As for pools of concentrated liquidity, with a bin step in the place of the tick spacing. */
export const infinityBinVerifier: ActionVerifier<InfinityBinAction> = {
  code: VENUE.INFINITY_BIN_POOL,
  delivery: "own",
  actionBy: () => "infinity-bin-pool",
  admits: () => true,
  verify(check) {
    const { action, where } = check;
    const { spacing } = verifyKey(check, MORE_BYTES.INFINITY_BIN_POOL);
    if (action !== undefined) same(`${where} bin step`, spacing, BigInt(action.binStep));
  },
};
