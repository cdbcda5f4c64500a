import type { Venue } from "../venue.ts";
import { uniswapV3About } from "./about.ts";
import { v3PoolEncoder } from "./action.ts";
import { type UniswapV3Record, uniswapV3Record } from "./record.ts";
import { uniswapV3 } from "./source.ts";
import { v3PoolVerifier } from "./verify.ts";

export const uniswapV3Venue = {
  protocol: "uniswap-v3",
  record: uniswapV3Record,
  source: uniswapV3,
  codec: { encoder: v3PoolEncoder, verifier: v3PoolVerifier },
  about: uniswapV3About,
} as const satisfies Venue<UniswapV3Record>;
