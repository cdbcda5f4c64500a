import type { Venue } from "../venue.ts";
import { balancerV3BuffersAbout } from "./about.ts";
import { bufferEncoder } from "./action.ts";
import { type BalancerV3BuffersRecord, balancerV3BuffersRecord } from "./record.ts";
import { balancerV3Buffers } from "./source.ts";
import { bufferVerifier } from "./verify.ts";

export const balancerV3BuffersVenue = {
  protocol: "balancer-v3-buffers",
  record: balancerV3BuffersRecord,
  source: balancerV3Buffers,
  codec: { encoder: bufferEncoder, verifier: bufferVerifier },
  about: balancerV3BuffersAbout,
} as const satisfies Venue<BalancerV3BuffersRecord>;
