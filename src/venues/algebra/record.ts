import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Algebra Integral. */
export const algebraRecord = z.strictObject({
  protocol: z.literal("algebra"),
  ...RECORD_FIELDS,
  factory: address,
});

export type AlgebraRecord = z.infer<typeof algebraRecord>;
