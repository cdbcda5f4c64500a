import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { restOf } from "../../settlement/venue-check.ts";
import { MORE_BYTES, VENUE } from "../../settlement/venue-codes.ts";
import type { BalancerV3Action } from "./action.ts";

/** The pool follows the fill, where the vault stands in its place. */
export const balancerV3Verifier: ActionVerifier<BalancerV3Action> = {
  code: VENUE.BALANCER_V3_POOL,
  delivery: "own",
  actionBy: () => "balancer-v3-pool",
  admits: (detail) => detail === 0n,
  verify(check) {
    const { payload, fill, given, action, where } = check;
    const pool = payload.hex(20);
    restOf(check, MORE_BYTES.BALANCER_V3_POOL);
    same(`${where} pool`, pool, action?.pool ?? fill.poolId);
    if (action !== undefined) same(`${where} vault`, given.pool, action.vault);
  },
};
