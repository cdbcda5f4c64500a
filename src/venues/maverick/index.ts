import type { Venue } from "../venue.ts";
import { maverickAbout } from "./about.ts";
import { maverickEncoder } from "./action.ts";
import { type MaverickRecord, maverickRecord } from "./record.ts";
import { maverick } from "./source.ts";
import { maverickVerifier } from "./verify.ts";

export const maverickVenue = {
  protocol: "maverick",
  record: maverickRecord,
  source: maverick,
  codec: { encoder: maverickEncoder, verifier: maverickVerifier },
  about: maverickAbout,
} as const satisfies Venue<MaverickRecord>;
