import type { Venue } from "../venue.ts";
import { liquidityBookAbout } from "./about.ts";
import { lbPairEncoder } from "./action.ts";
import { type LiquidityBookRecord, liquidityBookRecord } from "./record.ts";
import { liquidityBook } from "./source.ts";
import { lbPairVerifier } from "./verify.ts";

export const liquidityBookVenue = {
  protocol: "liquidity-book",
  record: liquidityBookRecord,
  source: liquidityBook,
  codec: { encoder: lbPairEncoder, verifier: lbPairVerifier },
  about: liquidityBookAbout,
} as const satisfies Venue<LiquidityBookRecord>;
