import type { Venue } from "../venue.ts";
import { psmAbout } from "./about.ts";
import { psmEncoder } from "./action.ts";
import { type PsmRecord, psmRecord } from "./record.ts";
import { psm } from "./source.ts";
import { psmVerifier } from "./verify.ts";

export const psmVenue = {
  protocol: "psm",
  record: psmRecord,
  source: psm,
  codec: { encoder: psmEncoder, verifier: psmVerifier },
  about: psmAbout,
} as const satisfies Venue<PsmRecord>;
