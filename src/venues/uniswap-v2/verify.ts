import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { PairAction } from "./action.ts";

const WHOLE_FEE_PPM = 1_000_000n;

export const pairVerifier: ActionVerifier<PairAction> = {
  code: VENUE.V2_PAIR,
  delivery: "ahead",
  actionBy: () => "v2-pair",
  admits: (detail) => detail < WHOLE_FEE_PPM,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.pair ?? fill.poolId);
    if (action !== undefined) same(`${where} fee`, given.detail, BigInt(action.feePpm));
  },
};
