import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Uniswap V4. */
export const uniswapV4Record = z.strictObject({
  protocol: z.literal("uniswap-v4"),
  ...RECORD_FIELDS,
  /** The PoolManager, which all pools are in. */
  factory: address,
});

export type UniswapV4Record = z.infer<typeof uniswapV4Record>;
