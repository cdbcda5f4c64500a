import { algebraPoolEncoder } from "../algebra/action.ts";
import { algebraPoolVerifier } from "../algebra/verify.ts";
import type { Venue } from "../venue.ts";
import { algebraV1About } from "./about.ts";
import { type AlgebraV1Record, algebraV1Record } from "./record.ts";
import { algebraV1 } from "./source.ts";

export const algebraV1Venue = {
  protocol: "algebra-v1",
  record: algebraV1Record,
  source: algebraV1,
  codec: { encoder: algebraPoolEncoder, verifier: algebraPoolVerifier },
  about: algebraV1About,
} as const satisfies Venue<AlgebraV1Record>;
