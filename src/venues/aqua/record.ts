import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** 1inch Aqua and its SwapVM router on one chain. */
export const aquaRecord = z.strictObject({
  protocol: z.literal("aqua"),
  ...RECORD_FIELDS,
  /** The contract that strategies are shipped to, and that moves makers' tokens. */
  aqua: address,
  /** The AquaSwapVMRouter, of version 1.0.2. */
  router: address,
});

export type AquaRecord = z.infer<typeof aquaRecord>;
