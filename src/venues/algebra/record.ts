import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Algebra Integral. */
export const algebraRecord = z.strictObject({
  protocol: z.literal("algebra"),
  ...RECORD_FIELDS,
  factory: address,
  /**
   * Deployers of custom pools, whose owners set plugins and fees. Their factory of plugins makes none but those with Algebra's
   * adaptive fee (AlgebraBasePluginV1, V3).
   */
  deployers: z.array(address).optional(),
  /** Algebra's QuoterV2 for pools of this factory, which tries swaps. It is needed with `deployers`. */
  quoter: address.optional(),
});

export type AlgebraRecord = z.infer<typeof algebraRecord>;
