import type { Venue } from "../venue.ts";
import { propAmmAbout } from "./about.ts";
import { propAmmEncoder } from "./action.ts";
import { type PropAmmRecord, propAmmRecord } from "./record.ts";
import { propAmm } from "./source.ts";
import { propAmmVerifier } from "./verify.ts";

export const propAmmVenue = {
  protocol: "prop-amm",
  record: propAmmRecord,
  source: propAmm,
  codec: { encoder: propAmmEncoder, verifier: propAmmVerifier },
  about: propAmmAbout,
} as const satisfies Venue<PropAmmRecord>;
