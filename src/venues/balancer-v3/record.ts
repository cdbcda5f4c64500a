import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Balancer V3: pools of one vault, those of these factories. */
export const balancerV3Record = z.strictObject({
  protocol: z.literal("balancer-v3"),
  ...RECORD_FIELDS,
  vault: address,
  factories: z
    .array(z.strictObject({ factory: address, kind: z.enum(["weighted", "stable"]) }))
    .min(1)
    .readonly(),
});

export type BalancerV3Record = z.infer<typeof balancerV3Record>;
