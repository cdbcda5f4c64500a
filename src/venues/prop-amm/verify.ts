import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { PropAmmAction } from "./action.ts";

export const propAmmVerifier: ActionVerifier<PropAmmAction> = {
  code: VENUE.PROP_AMM,
  delivery: "own",
  actionBy: () => "prop-amm",
  admits: (detail) => detail <= 1n,
  verify({ given, action, where }) {
    // A pool's id is a hash: without its action nothing tells the contract.
    if (action === undefined) return;
    same(`${where} pool`, given.pool, action.venue);
    same(`${where} draws`, given.detail, action.draws ? 1n : 0n);
  },
};
