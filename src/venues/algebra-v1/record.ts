import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Algebra's first version, whose pools work their fee out of their own past prices, and its directional one (v1.9). */
export const algebraV1Record = z.strictObject({
  protocol: z.literal("algebra-v1"),
  ...RECORD_FIELDS,
  factory: address,
  /** Algebra's Quoter (Quoter.sol) for pools of this factory: it tells the fee that a swap pays in a block. */
  quoter: address,
});

export type AlgebraV1Record = z.infer<typeof algebraV1Record>;
