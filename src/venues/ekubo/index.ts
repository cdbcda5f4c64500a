import type { Venue } from "../venue.ts";
import { ekuboAbout } from "./about.ts";
import { ekuboEncoder } from "./action.ts";
import { type EkuboRecord, ekuboRecord } from "./record.ts";
import { ekubo } from "./source.ts";
import { ekuboVerifier } from "./verify.ts";

export const ekuboVenue = {
  protocol: "ekubo",
  record: ekuboRecord,
  source: ekubo,
  codec: { encoder: ekuboEncoder, verifier: ekuboVerifier },
  about: ekuboAbout,
} as const satisfies Venue<EkuboRecord>;
