import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** PancakeSwap's StableSwap, or a fork of it (Lista): the factory with `pairLength()` and `swapPairContract(uint256)`. */
export const pancakeStableswapRecord = z.strictObject({
  protocol: z.literal("pancake-stableswap"),
  ...RECORD_FIELDS,
  factory: address,
});

export type PancakeStableswapRecord = z.infer<typeof pancakeStableswapRecord>;
