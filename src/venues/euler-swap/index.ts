import type { Venue } from "../venue.ts";
import { eulerSwapAbout } from "./about.ts";
import { eulerSwapEncoder } from "./action.ts";
import { type EulerSwapRecord, eulerSwapRecord } from "./record.ts";
import { eulerSwap } from "./source.ts";
import { eulerSwapVerifier } from "./verify.ts";

export const eulerSwapVenue = {
  protocol: "euler-swap",
  record: eulerSwapRecord,
  source: eulerSwap,
  codec: { encoder: eulerSwapEncoder, verifier: eulerSwapVerifier },
  about: eulerSwapAbout,
} as const satisfies Venue<EulerSwapRecord>;
