import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** DODO V2 on one chain. */
export const dodoRecord = z.strictObject({
  protocol: z.literal("dodo"),
  ...RECORD_FIELDS,
  /** Factories of vending machines, private pools and stable pools, older ones too. */
  factories: z.array(address).min(1).readonly(),
});

export type DodoRecord = z.infer<typeof dodoRecord>;
