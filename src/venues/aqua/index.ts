import type { Venue } from "../venue.ts";
import { aquaAbout } from "./about.ts";
import { aquaEncoder } from "./action.ts";
import { type AquaRecord, aquaRecord } from "./record.ts";
import { aqua } from "./source.ts";
import { aquaVerifier } from "./verify.ts";

export const aquaVenue = {
  protocol: "aqua",
  record: aquaRecord,
  source: aqua,
  codec: { encoder: aquaEncoder, verifier: aquaVerifier },
  about: aquaAbout,
} as const satisfies Venue<AquaRecord>;
