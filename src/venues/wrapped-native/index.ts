import type { TradedVenue } from "../venue.ts";
import { wrapEncoder } from "./action.ts";
import { wrapVerifier } from "./verify.ts";

/** The native token and its wrapped form, which every chain has. */
export const wrappedNativeVenue = {
  codec: { encoder: wrapEncoder, verifier: wrapVerifier },
} as const satisfies TradedVenue;
