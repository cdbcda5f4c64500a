import type { Venue } from "../venue.ts";
import { erc4626About } from "./about.ts";
import { vaultEncoder } from "./action.ts";
import { type Erc4626Record, erc4626Record } from "./record.ts";
import { erc4626 } from "./source.ts";
import { vaultVerifier } from "./verify.ts";

export const erc4626Venue = {
  protocol: "erc4626",
  record: erc4626Record,
  source: erc4626,
  codec: { encoder: vaultEncoder, verifier: vaultVerifier },
  about: erc4626About,
} as const satisfies Venue<Erc4626Record>;
