import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { SolidlyAction } from "./action.ts";

const WHOLE_FEE_PPM = 1_000_000n;

export const solidlyVerifier: ActionVerifier<SolidlyAction> = {
  code: VENUE.SOLIDLY_POOL,
  delivery: "ahead",
  actionBy: () => "solidly-pool",
  admits: (detail) => detail < WHOLE_FEE_PPM,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pool ?? fill.poolId);
    if (action !== undefined) same(`${where} fee`, given.detail, BigInt(action.feePpm));
  },
};
