import type { Venue } from "../venue.ts";
import { algebraAbout } from "./about.ts";
import { algebraPoolEncoder } from "./action.ts";
import { type AlgebraRecord, algebraRecord } from "./record.ts";
import { algebra } from "./source.ts";
import { algebraPoolVerifier } from "./verify.ts";

export const algebraVenue = {
  protocol: "algebra",
  record: algebraRecord,
  source: algebra,
  codec: { encoder: algebraPoolEncoder, verifier: algebraPoolVerifier },
  about: algebraAbout,
} as const satisfies Venue<AlgebraRecord>;
