import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

const vault = z.strictObject({
  vault: address,
  asset: address,
  /** The contract with `chi`, `rho` and the growth; the vault itself, or Maker's Pot. */
  rates: address,
  /** Name of the function that says by which factor the rate grows each second. */
  growth: z.enum(["ssr", "dsr"]),
});

/** Vaults whose rate grows by the second, one by one. */
export const savingsVaultRecord = z.strictObject({
  protocol: z.literal("savings-vault"),
  ...RECORD_FIELDS,
  vaults: z.array(vault).readonly(),
});

export type SavingsVaultRecord = z.infer<typeof savingsVaultRecord>;
