import type { Venue } from "../venue.ts";
import { infinityBinAbout } from "./about.ts";
import { infinityBinEncoder } from "./action.ts";
import { type InfinityBinRecord, infinityBinRecord } from "./record.ts";
import { infinityBin } from "./source.ts";
import { infinityBinVerifier } from "./verify.ts";

export const infinityBinVenue = {
  protocol: "infinity-bin",
  record: infinityBinRecord,
  source: infinityBin,
  codec: { encoder: infinityBinEncoder, verifier: infinityBinVerifier },
  about: infinityBinAbout,
} as const satisfies Venue<InfinityBinRecord>;
