import type { Venue } from "../venue.ts";
import { dodoAbout } from "./about.ts";
import { dodoEncoder } from "./action.ts";
import { type DodoRecord, dodoRecord } from "./record.ts";
import { dodo } from "./source.ts";
import { dodoVerifier } from "./verify.ts";

export const dodoVenue = {
  protocol: "dodo",
  record: dodoRecord,
  source: dodo,
  codec: { encoder: dodoEncoder, verifier: dodoVerifier },
  about: dodoAbout,
} as const satisfies Venue<DodoRecord>;
