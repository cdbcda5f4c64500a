import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/** WOOFi's pool on one chain. */
export const woofiRecord = z.strictObject({
  protocol: z.literal("woofi"),
  ...RECORD_FIELDS,
  /** The WooPPV2. */
  pool: address,
  /** The Wooracle whose prices it trades at. */
  oracle: address,
  /** The IntegrationHelper, which lists its tokens. */
  helper: address,
});

export type WoofiRecord = z.infer<typeof woofiRecord>;
