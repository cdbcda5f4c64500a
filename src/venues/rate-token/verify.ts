import type { ActionVerifier } from "../../settlement/action-codec.ts";
import { same } from "../../settlement/expectation.ts";
import { VENUE } from "../../settlement/venue-codes.ts";
import type { RateTokenAction } from "./action.ts";

export const rateTokenVerifier: ActionVerifier<RateTokenAction> = {
  code: VENUE.RATE_TOKEN,
  delivery: "own",
  actionBy: () => "rate-token",
  admits: (detail) => detail === 0n,
  verify({ fill, given, action, where }) {
    same(`${where} pool`, given.pool, action?.token ?? fill.poolId);
    if (action !== undefined)
      same(`${where} converts it`, [fill.sellToken, fill.buyToken].includes(action.token), true);
  },
};
