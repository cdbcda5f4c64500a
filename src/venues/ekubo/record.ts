import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** Ekubo, version 3. */
export const ekuboRecord = z.strictObject({
  protocol: z.literal("ekubo"),
  ...RECORD_FIELDS,
  /** The Core, which all pools and their tokens are in. */
  factory: address,
  /** Extensions that are called in swaps and change no amount. Pools with any other that is called there are left out. */
  passiveExtensions: z.array(address).default([]),
});

export type EkuboRecord = z.infer<typeof ekuboRecord>;
