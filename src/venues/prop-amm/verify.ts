import { frontOf } from "../../domain/route.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { PropAmmAction } from "./action.ts";

export const propAmmVerifier: ActionVerifier<PropAmmAction> = {
  code: VENUE.PROP_AMM,
  delivery: "own",
  actionBy: () => "prop-amm",
  admits: (detail) => detail <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.venue ?? frontOf(fill.poolId));
    // Nothing else tells how the contract is paid.
    if (action === undefined) return;
    same(`${where} draws`, given.detail, action.draws ? 1n : 0n);
  },
};
