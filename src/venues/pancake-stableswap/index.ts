import { curveEncoder } from "../curve-stableswap/action.ts";
import { curveVerifier } from "../curve-stableswap/verify.ts";
import type { Venue } from "../venue.ts";
import { pancakeStableswapAbout } from "./about.ts";
import { type PancakeStableswapRecord, pancakeStableswapRecord } from "./record.ts";
import { pancakeStableswap } from "./source.ts";

export const pancakeStableswapVenue = {
  protocol: "pancake-stableswap",
  record: pancakeStableswapRecord,
  source: pancakeStableswap,
  codec: { encoder: curveEncoder, verifier: curveVerifier },
  about: pancakeStableswapAbout,
} as const satisfies Venue<PancakeStableswapRecord>;
