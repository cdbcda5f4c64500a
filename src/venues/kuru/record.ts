import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Kuru on one chain. */
export const kuruRecord = z.strictObject({
  protocol: z.literal("kuru"),
  ...RECORD_FIELDS,
  /** The Router, which makes the markets. */
  router: address,
  /** The MarginAccount, which holds the tokens of all markets. */
  marginAccount: address,
});

export type KuruRecord = z.infer<typeof kuruRecord>;
