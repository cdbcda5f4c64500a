import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Pangolin V3, on chains where its contracts are for the EVM. */
export const pangolinV3Record = z.strictObject({
  protocol: z.literal("pangolin-v3"),
  ...RECORD_FIELDS,
  factory: address,
});

export type PangolinV3Record = z.infer<typeof pangolinV3Record>;
