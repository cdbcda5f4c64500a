import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Velodrome V2's interface: volatile and stable pools of one factory that keeps the fees. */
export const solidlyRecord = z.strictObject({
  protocol: z.literal("solidly"),
  ...RECORD_FIELDS,
  factory: address,
});

export type SolidlyRecord = z.infer<typeof solidlyRecord>;
