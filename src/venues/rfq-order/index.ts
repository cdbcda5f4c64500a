import type { TradedVenue } from "../venue.ts";
import { rfqOrderEncoder } from "./action.ts";
import { rfqOrderVerifier } from "./verify.ts";

/** Orders that makers' own contracts settle, which no chain's record lists. */
export const rfqOrderVenue = {
  codec: { encoder: rfqOrderEncoder, verifier: rfqOrderVerifier },
} as const satisfies TradedVenue;
