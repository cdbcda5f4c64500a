import type { Venue } from "../venue.ts";
import { balancerV3About } from "./about.ts";
import { balancerV3Encoder } from "./action.ts";
import { type BalancerV3Record, balancerV3Record } from "./record.ts";
import { balancerV3 } from "./source.ts";
import { balancerV3Verifier } from "./verify.ts";

export const balancerV3Venue = {
  protocol: "balancer-v3",
  record: balancerV3Record,
  source: balancerV3,
  codec: { encoder: balancerV3Encoder, verifier: balancerV3Verifier },
  about: balancerV3About,
} as const satisfies Venue<BalancerV3Record>;
