import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Slipstream's interface (Velodrome, Aerodrome): concentrated pools by tick spacing, fees of the factory's making. */
export const slipstreamRecord = z.strictObject({
  protocol: z.literal("slipstream"),
  ...RECORD_FIELDS,
  factory: address,
});

export type SlipstreamRecord = z.infer<typeof slipstreamRecord>;
