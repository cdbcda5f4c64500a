import type { Venue } from "../venue.ts";
import { uniswapV2About } from "./about.ts";
import { pairEncoder } from "./action.ts";
import { type UniswapV2Record, uniswapV2Record } from "./record.ts";
import { uniswapV2 } from "./source.ts";
import { pairVerifier } from "./verify.ts";

export const uniswapV2Venue = {
  protocol: "uniswap-v2",
  record: uniswapV2Record,
  source: uniswapV2,
  codec: { encoder: pairEncoder, verifier: pairVerifier },
  about: uniswapV2About,
} as const satisfies Venue<UniswapV2Record>;
