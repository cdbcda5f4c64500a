import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { PsmAction } from "./action.ts";

export const psmVerifier: ActionVerifier<PsmAction> = {
  code: VENUE.PSM,
  delivery: "own",
  actionBy: () => "psm",
  admits: (detail) => detail <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.psm ?? fill.poolId);
    if (action === undefined) return;
    same(`${where} sells gem`, given.detail, fill.sellToken === action.gem ? 1n : 0n);
    same(`${where} gem`, [fill.sellToken, fill.buyToken].includes(action.gem), true);
  },
};
