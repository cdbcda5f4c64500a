import type { Venue } from "../venue.ts";
import { curveStableswapAbout } from "./about.ts";
import { curveEncoder } from "./action.ts";
import { type CurveStableswapRecord, curveStableswapRecord } from "./record.ts";
import { curveStableswap } from "./source.ts";
import { curveVerifier } from "./verify.ts";

export const curveStableswapVenue = {
  protocol: "curve-stableswap",
  record: curveStableswapRecord,
  source: curveStableswap,
  codec: { encoder: curveEncoder, verifier: curveVerifier },
  about: curveStableswapAbout,
} as const satisfies Venue<CurveStableswapRecord>;
