import { vaultEncoder } from "../erc4626/action.ts";
import { vaultVerifier } from "../erc4626/verify.ts";
import type { Venue } from "../venue.ts";
import { savingsVaultAbout } from "./about.ts";
import { type SavingsVaultRecord, savingsVaultRecord } from "./record.ts";
import { savingsVault } from "./source.ts";

/** Settled as any ERC-4626 vault is. */
export const savingsVaultVenue = {
  protocol: "savings-vault",
  record: savingsVaultRecord,
  source: savingsVault,
  codec: { encoder: vaultEncoder, verifier: vaultVerifier },
  about: savingsVaultAbout,
} as const satisfies Venue<SavingsVaultRecord>;
