import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { EulerSwapAction } from "./action.ts";

export const eulerSwapVerifier: ActionVerifier<EulerSwapAction> = {
  code: VENUE.EULER_SWAP_POOL,
  delivery: "own",
  actionBy: () => "euler-swap-pool",
  admits: (detail) => detail === 0n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? fill.poolId);
    same(`${where} detail`, given.detail, 0n);
  },
};
