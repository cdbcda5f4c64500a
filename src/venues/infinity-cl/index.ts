import type { Venue } from "../venue.ts";
import { infinityClAbout } from "./about.ts";
import { infinityClEncoder } from "./action.ts";
import { type InfinityClRecord, infinityClRecord } from "./record.ts";
import { infinityCl } from "./source.ts";
import { infinityClVerifier } from "./verify.ts";

export const infinityClVenue = {
  protocol: "infinity-cl",
  record: infinityClRecord,
  source: infinityCl,
  codec: { encoder: infinityClEncoder, verifier: infinityClVerifier },
  about: infinityClAbout,
} as const satisfies Venue<InfinityClRecord>;
