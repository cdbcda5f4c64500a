import { v3PoolEncoder } from "../uniswap-v3/action.ts";
import { v3PoolVerifier } from "../uniswap-v3/verify.ts";
import type { Venue } from "../venue.ts";
import { ramsesAbout } from "./about.ts";
import { type RamsesRecord, ramsesRecord } from "./record.ts";
import { ramses } from "./source.ts";

export const ramsesVenue = {
  protocol: "ramses",
  record: ramsesRecord,
  source: ramses,
  codec: { encoder: v3PoolEncoder, verifier: v3PoolVerifier },
  about: ramsesAbout,
} as const satisfies Venue<RamsesRecord>;
