import type { Venue } from "../venue.ts";
import { fluidAbout } from "./about.ts";
import { fluidEncoder } from "./action.ts";
import { type FluidRecord, fluidRecord } from "./record.ts";
import { fluid } from "./source.ts";
import { fluidVerifier } from "./verify.ts";

export const fluidVenue = {
  protocol: "fluid",
  record: fluidRecord,
  source: fluid,
  codec: { encoder: fluidEncoder, verifier: fluidVerifier },
  about: fluidAbout,
} as const satisfies Venue<FluidRecord>;
