import type { TradedVenue } from "../venue.ts";
import { makerAbouts } from "./about.ts";
import { makerOrderEncoder } from "./action.ts";
import { makerOrderVerifier } from "./verify.ts";

/** Orders of market makers, whose levels no chain's record lists. */
export const makerOrderVenue = {
  codec: { encoder: makerOrderEncoder, verifier: makerOrderVerifier },
  abouts: makerAbouts,
} as const satisfies TradedVenue & { readonly abouts: typeof makerAbouts };
