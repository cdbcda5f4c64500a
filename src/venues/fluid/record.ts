import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Fluid's DEX T1 on one chain. */
export const fluidRecord = z.strictObject({
  protocol: z.literal("fluid"),
  ...RECORD_FIELDS,
  /** The DexFactory. */
  factory: address,
  /** The Liquidity layer, which holds what all pools supply and borrow. */
  liquidity: address,
  /** The DexReservesResolver, whose views tell prices at a block. */
  resolver: address,
});

export type FluidRecord = z.infer<typeof fluidRecord>;
