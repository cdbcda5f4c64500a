import type { Venue } from "../venue.ts";
import { balancerV2About } from "./about.ts";
import { balancerV2Encoder } from "./action.ts";
import { type BalancerV2Record, balancerV2Record } from "./record.ts";
import { balancerV2 } from "./source.ts";
import { balancerV2Verifier } from "./verify.ts";

export const balancerV2Venue = {
  protocol: "balancer-v2",
  record: balancerV2Record,
  source: balancerV2,
  codec: { encoder: balancerV2Encoder, verifier: balancerV2Verifier },
  about: balancerV2About,
} as const satisfies Venue<BalancerV2Record>;
