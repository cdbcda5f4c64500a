import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Liquidity Book 2.1 and 2.2 (LFJ, Pharaoh DLMM): pairs of bins of one factory. */
export const liquidityBookRecord = z.strictObject({
  protocol: z.literal("liquidity-book"),
  ...RECORD_FIELDS,
  /** The LBFactory. */
  factory: address,
});

export type LiquidityBookRecord = z.infer<typeof liquidityBookRecord>;
