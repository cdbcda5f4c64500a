import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** PancakeSwap Infinity: pools of concentrated liquidity. */
export const infinityClRecord = z.strictObject({
  protocol: z.literal("infinity-cl"),
  ...RECORD_FIELDS,
  /** The CLPoolManager, which all pools are in. It names the Vault that holds their tokens. */
  factory: address,
});

export type InfinityClRecord = z.infer<typeof infinityClRecord>;
