import { frontOf } from "../../domain/route.ts";
import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { WoofiAction } from "./action.ts";

export const woofiVerifier: ActionVerifier<WoofiAction> = {
  code: VENUE.WOOFI_POOL,
  delivery: "own",
  actionBy: () => "woofi-pool",
  admits: (detail) => detail === 0n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? frontOf(fill.poolId));
  },
};
