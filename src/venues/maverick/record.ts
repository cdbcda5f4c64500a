import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Maverick V2 on one chain. */
export const maverickRecord = z.strictObject({
  protocol: z.literal("maverick"),
  ...RECORD_FIELDS,
  factory: address,
});

export type MaverickRecord = z.infer<typeof maverickRecord>;
