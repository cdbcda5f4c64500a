import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Kinds of Gyroscope's pools: concentrated between two prices, above one price for three tokens, on an ellipse. */
const GYRO_KINDS = ["gyro-2clp", "gyro-3clp", "gyro-eclp"] as const;

/** Balancer V2: pools of one vault, those of these factories; "weighted-v1" is the first version, with and without a price oracle. */
export const balancerV2Record = z.strictObject({
  protocol: z.literal("balancer-v2"),
  ...RECORD_FIELDS,
  vault: address,
  factories: z
    .array(
      z.strictObject({
        factory: address,
        kind: z.enum(["weighted", "weighted-v1", "composable-stable", "meta-stable", ...GYRO_KINDS]),
      }),
    )
    .min(1)
    .readonly(),
});

export type BalancerV2Record = z.infer<typeof balancerV2Record>;
