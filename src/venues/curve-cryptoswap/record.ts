import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/record-fields.ts";

/** Curve's twocrypto-NG and tricrypto-NG pools, one by one. */
export const curveCryptoswapRecord = z.strictObject({
  protocol: z.literal("curve-cryptoswap"),
  ...RECORD_FIELDS,
  /** Two or three coins in the pool's own order. */
  pools: z.array(z.strictObject({ address, coins: z.array(address).min(2).max(3).readonly() })).readonly(),
});

export type CurveCryptoswapRecord = z.infer<typeof curveCryptoswapRecord>;
