import type { Venue } from "../venue.ts";
import { pancakeswapV3About } from "./about.ts";
import { pancakePoolEncoder } from "./action.ts";
import { type PancakeswapV3Record, pancakeswapV3Record } from "./record.ts";
import { pancakeswapV3 } from "./source.ts";
import { pancakePoolVerifier } from "./verify.ts";

export const pancakeswapV3Venue = {
  protocol: "pancakeswap-v3",
  record: pancakeswapV3Record,
  source: pancakeswapV3,
  codec: { encoder: pancakePoolEncoder, verifier: pancakePoolVerifier },
  about: pancakeswapV3About,
} as const satisfies Venue<PancakeswapV3Record>;
