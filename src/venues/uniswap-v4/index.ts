import type { Venue } from "../venue.ts";
import { uniswapV4About } from "./about.ts";
import { v4PoolEncoder } from "./action.ts";
import { type UniswapV4Record, uniswapV4Record } from "./record.ts";
import { uniswapV4 } from "./source.ts";
import { v4PoolVerifier } from "./verify.ts";

export const uniswapV4Venue = {
  protocol: "uniswap-v4",
  record: uniswapV4Record,
  source: uniswapV4,
  codec: { encoder: v4PoolEncoder, verifier: v4PoolVerifier },
  about: uniswapV4About,
} as const satisfies Venue<UniswapV4Record>;
