import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Uniswap's own pool contract, in its forks too. */
export const uniswapV3Record = z.strictObject({
  protocol: z.literal("uniswap-v3"),
  ...RECORD_FIELDS,
  factory: address,
});

export type UniswapV3Record = z.infer<typeof uniswapV3Record>;
