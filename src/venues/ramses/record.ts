import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Ramses V3's interface (Pharaoh, Shadow): concentrated pools by tick spacing, whose fee their factory sets. */
export const ramsesRecord = z.strictObject({
  protocol: z.literal("ramses"),
  ...RECORD_FIELDS,
  factory: address,
});

export type RamsesRecord = z.infer<typeof ramsesRecord>;
