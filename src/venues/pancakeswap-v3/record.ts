import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** PancakeSwap V3 or a fork of it. */
export const pancakeswapV3Record = z.strictObject({
  protocol: z.literal("pancakeswap-v3"),
  ...RECORD_FIELDS,
  factory: address,
});

export type PancakeswapV3Record = z.infer<typeof pancakeswapV3Record>;
