import { v4PoolEncoder } from "../uniswap-v4/action.ts";
import { v4PoolVerifier } from "../uniswap-v4/verify.ts";
import type { Venue } from "../venue.ts";
import { uniswapV4HooksAbout } from "./about.ts";
import { type UniswapV4HooksRecord, uniswapV4HooksRecord } from "./record.ts";
import { uniswapV4Hooks } from "./source.ts";

export const uniswapV4HooksVenue = {
  protocol: "uniswap-v4-hooks",
  record: uniswapV4HooksRecord,
  source: uniswapV4Hooks,
  codec: { encoder: v4PoolEncoder, verifier: v4PoolVerifier },
  about: uniswapV4HooksAbout,
} as const satisfies Venue<UniswapV4HooksRecord>;
