import { z } from "zod";
import { address, RECORD_FIELDS, wholeBigInt } from "../../market/record-fields.ts";

/** Uniswap V2 or a fork of it. */
export const uniswapV2Record = z.strictObject({
  protocol: z.literal("uniswap-v2"),
  ...RECORD_FIELDS,
  factory: address,
  /** Of `feeDen` parts of what goes in, the pair keeps `feeNum`. */
  feeNum: wholeBigInt,
  feeDen: wholeBigInt,
});

export type UniswapV2Record = z.infer<typeof uniswapV2Record>;
