import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { DodoAction } from "./action.ts";

export const dodoVerifier: ActionVerifier<DodoAction> = {
  code: VENUE.DODO_POOL,
  delivery: "own",
  actionBy: () => "dodo-pool",
  admits: (detail) => detail <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? fill.poolId);
    // Nothing else tells which of its tokens is the base token.
    if (action === undefined) return;
    same(`${where} sells base`, given.detail, fill.sellToken === action.baseToken ? 1n : 0n);
    same(`${where} base token`, [fill.sellToken, fill.buyToken].includes(action.baseToken), true);
  },
};
