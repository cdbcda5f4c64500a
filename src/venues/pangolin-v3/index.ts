import type { Venue } from "../venue.ts";
import { pangolinV3About } from "./about.ts";
import { pangolinPoolEncoder } from "./action.ts";
import { type PangolinV3Record, pangolinV3Record } from "./record.ts";
import { pangolinV3 } from "./source.ts";
import { pangolinPoolVerifier } from "./verify.ts";

export const pangolinV3Venue = {
  protocol: "pangolin-v3",
  record: pangolinV3Record,
  source: pangolinV3,
  codec: { encoder: pangolinPoolEncoder, verifier: pangolinPoolVerifier },
  about: pangolinV3About,
} as const satisfies Venue<PangolinV3Record>;
