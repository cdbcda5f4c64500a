import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

const token = z.strictObject({
  token: address,
  /** Token that it wraps. */
  underlying: address,
  /** The contract with `getTotalPooledEther` and `getTotalShares`, which are the rate; stETH with Lido. */
  totals: address,
  /** The underlying keeps balances as rounded shares (stETH): it is sold, and not bought. */
  keepsShares: z.literal(true).optional(),
});

/** Tokens with wstETH's interface, one by one. */
export const rateTokenRecord = z.strictObject({
  protocol: z.literal("rate-token"),
  ...RECORD_FIELDS,
  tokens: z.array(token).readonly(),
});

export type RateTokenRecord = z.infer<typeof rateTokenRecord>;
