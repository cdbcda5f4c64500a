import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { LbPairAction } from "./action.ts";

export const lbPairVerifier: ActionVerifier<LbPairAction> = {
  code: VENUE.LB_PAIR,
  delivery: "own",
  actionBy: () => "lb-pair",
  admits: (detail) => detail <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pair`, given.pool, action?.pair ?? fill.poolId);
    if (action === undefined) return;
    same(`${where} sells X`, given.detail, fill.sellToken === action.tokenX ? 1n : 0n);
    same(`${where} X`, [fill.sellToken, fill.buyToken].includes(action.tokenX), true);
  },
};
