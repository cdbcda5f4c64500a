import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { CallbackPoolAction } from "./action.ts";

/** The verifier of one brand's pools: the payload names the pool and nothing else. */
export function callbackPoolVerifier<N extends string>(code: number, action: N): ActionVerifier<CallbackPoolAction<N>> {
  return {
    code,
    delivery: "transfer",
    actionBy: () => action,
    admits: (detail) => detail === 0n,
    verify: ({ fill, given, action: known, where }) => same(`${where} pool`, given.pool, known?.pool ?? fill.poolId),
  };
}

export const v3PoolVerifier = callbackPoolVerifier(VENUE.V3_POOL, "v3-pool");
