import { v3PoolEncoder } from "../uniswap-v3/action.ts";
import { v3PoolVerifier } from "../uniswap-v3/verify.ts";
import type { Venue } from "../venue.ts";
import { slipstreamAbout } from "./about.ts";
import { type SlipstreamRecord, slipstreamRecord } from "./record.ts";
import { slipstream } from "./source.ts";

export const slipstreamVenue = {
  protocol: "slipstream",
  record: slipstreamRecord,
  source: slipstream,
  codec: { encoder: v3PoolEncoder, verifier: v3PoolVerifier },
  about: slipstreamAbout,
} as const satisfies Venue<SlipstreamRecord>;
