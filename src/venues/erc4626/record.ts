import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

const vault = z.strictObject({
  vault: address,
  asset: address,
  /** Result of the vault's `_decimalsOffset`. */
  decimalsOffset: z.int().min(0).max(18),
});

/** ERC-4626 vaults with OpenZeppelin's formula, one by one. */
export const erc4626Record = z.strictObject({
  protocol: z.literal("erc4626"),
  ...RECORD_FIELDS,
  vaults: z.array(vault).readonly(),
});

export type Erc4626Record = z.infer<typeof erc4626Record>;
