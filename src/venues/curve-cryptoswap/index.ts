import { curveEncoder } from "../curve-stableswap/action.ts";
import { curveVerifier } from "../curve-stableswap/verify.ts";
import type { Venue } from "../venue.ts";
import { curveCryptoswapAbout } from "./about.ts";
import { type CurveCryptoswapRecord, curveCryptoswapRecord } from "./record.ts";
import { curveCryptoswap } from "./source.ts";

export const curveCryptoswapVenue = {
  protocol: "curve-cryptoswap",
  record: curveCryptoswapRecord,
  source: curveCryptoswap,
  codec: { encoder: curveEncoder, verifier: curveVerifier },
  about: curveCryptoswapAbout,
} as const satisfies Venue<CurveCryptoswapRecord>;
