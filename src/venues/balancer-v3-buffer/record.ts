import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

const buffer = z.strictObject({
  /** The ERC-4626 vault, which is its own share. */
  wrapped: address,
  asset: address,
  /** Result of the ERC-4626 vault's `_decimalsOffset`. */
  decimalsOffset: z.int().min(0).max(18),
});

/** Buffers that Balancer V3's vault keeps of ERC-4626 vaults with OpenZeppelin's formula, one by one. */
export const balancerV3BuffersRecord = z.strictObject({
  protocol: z.literal("balancer-v3-buffers"),
  ...RECORD_FIELDS,
  /** Balancer's. */
  vault: address,
  buffers: z.array(buffer).readonly(),
});

export type BalancerV3BuffersRecord = z.infer<typeof balancerV3BuffersRecord>;
