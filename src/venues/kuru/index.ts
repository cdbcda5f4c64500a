import type { Venue } from "../venue.ts";
import { kuruAbout } from "./about.ts";
import { kuruEncoder } from "./action.ts";
import { type KuruRecord, kuruRecord } from "./record.ts";
import { kuru } from "./source.ts";
import { kuruVerifier } from "./verify.ts";

export const kuruVenue = {
  protocol: "kuru",
  record: kuruRecord,
  source: kuru,
  codec: { encoder: kuruEncoder, verifier: kuruVerifier },
  about: kuruAbout,
} as const satisfies Venue<KuruRecord>;
