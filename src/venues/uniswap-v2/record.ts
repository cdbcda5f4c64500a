import { z } from "zod";
import { address, RECORD_FIELDS, wholeBigInt } from "../../market/venue-record.ts";

/** A larger part is no exchange's fee: whoever writes one has what the pair passes on, 997 of 1000, in mind. */
const MAX_FEE_PARTS = 10n;

/** Uniswap V2 or a fork of it. */
export const uniswapV2Record = z
  .strictObject({
    protocol: z.literal("uniswap-v2"),
    ...RECORD_FIELDS,
    factory: address,
    /** Fee numerator: the pair keeps `feeNum` of `feeDen` parts of the amount in. */
    feeNum: wholeBigInt,
    feeDen: wholeBigInt,
  })
  .refine(({ feeNum, feeDen }) => feeDen > 0n && feeNum * MAX_FEE_PARTS <= feeDen, {
    path: ["feeNum"],
    error: "must be a tenth of feeDen at most: it is the fee that the pair keeps, as 3 of 1000, not what it passes on",
  });

export type UniswapV2Record = z.infer<typeof uniswapV2Record>;
