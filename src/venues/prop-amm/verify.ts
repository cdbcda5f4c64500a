import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { PropAmmAction } from "./action.ts";

/** A pool's id begins with its contract's address, of so many digits with 0x. */
const ADDRESS_LENGTH = 42;

export const propAmmVerifier: ActionVerifier<PropAmmAction> = {
  code: VENUE.PROP_AMM,
  delivery: "own",
  actionBy: () => "prop-amm",
  admits: (detail) => detail <= 1n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.venue ?? fill.poolId.slice(0, ADDRESS_LENGTH));
    // Nothing else tells how the contract is paid.
    if (action === undefined) return;
    same(`${where} draws`, given.detail, action.draws ? 1n : 0n);
  },
};
