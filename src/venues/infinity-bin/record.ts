import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** PancakeSwap Infinity: pools of bins. */
export const infinityBinRecord = z.strictObject({
  protocol: z.literal("infinity-bin"),
  ...RECORD_FIELDS,
  /** The BinPoolManager, which all pools are in. It names the Vault that holds their tokens. */
  factory: address,
});

export type InfinityBinRecord = z.infer<typeof infinityBinRecord>;
