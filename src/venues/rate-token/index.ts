import type { Venue } from "../venue.ts";
import { rateTokenAbout } from "./about.ts";
import { rateTokenEncoder } from "./action.ts";
import { type RateTokenRecord, rateTokenRecord } from "./record.ts";
import { rateToken } from "./source.ts";
import { rateTokenVerifier } from "./verify.ts";

export const rateTokenVenue = {
  protocol: "rate-token",
  record: rateTokenRecord,
  source: rateToken,
  codec: { encoder: rateTokenEncoder, verifier: rateTokenVerifier },
  about: rateTokenAbout,
} as const satisfies Venue<RateTokenRecord>;
