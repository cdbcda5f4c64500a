import type { Venue } from "../venue.ts";
import { solidlyAbout } from "./about.ts";
import { solidlyEncoder } from "./action.ts";
import { type SolidlyRecord, solidlyRecord } from "./record.ts";
import { solidly } from "./source.ts";
import { solidlyVerifier } from "./verify.ts";

export const solidlyVenue = {
  protocol: "solidly",
  record: solidlyRecord,
  source: solidly,
  codec: { encoder: solidlyEncoder, verifier: solidlyVerifier },
  about: solidlyAbout,
} as const satisfies Venue<SolidlyRecord>;
