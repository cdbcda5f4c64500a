import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

const module = z.strictObject({
  psm: address,
  /** The stablecoin that it issues. */
  dai: address,
  /** The token that stands behind it. */
  gem: address,
});

/** Price stability modules with DssLitePsm's interface, one by one. */
export const psmRecord = z.strictObject({
  protocol: z.literal("psm"),
  ...RECORD_FIELDS,
  modules: z.array(module).readonly(),
});

export type PsmRecord = z.infer<typeof psmRecord>;
