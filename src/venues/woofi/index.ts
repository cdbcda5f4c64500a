import type { Venue } from "../venue.ts";
import { woofiAbout } from "./about.ts";
import { woofiEncoder } from "./action.ts";
import { type WoofiRecord, woofiRecord } from "./record.ts";
import { woofi } from "./source.ts";
import { woofiVerifier } from "./verify.ts";

export const woofiVenue = {
  protocol: "woofi",
  record: woofiRecord,
  source: woofi,
  codec: { encoder: woofiEncoder, verifier: woofiVerifier },
  about: woofiAbout,
} as const satisfies Venue<WoofiRecord>;
