import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** EulerSwap on one chain. */
export const eulerSwapRecord = z.strictObject({
  protocol: z.literal("euler-swap"),
  ...RECORD_FIELDS,
  /** Factory of version 1, which takes vaults of Euler's own factory alone. */
  factory: address.optional(),
  /** Registry of version 2: it lists pools over vaults that its curator has verified. */
  registry: address.optional(),
});

export type EulerSwapRecord = z.infer<typeof eulerSwapRecord>;
