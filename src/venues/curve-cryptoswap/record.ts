import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";
import { CURVE_LISTS } from "../curve-stableswap/record.ts";

/** Curve's twocrypto-NG and tricrypto-NG pools, and tricrypto pools before: one by one, and those of lists. */
export const curveCryptoswapRecord = z.strictObject({
  protocol: z.literal("curve-cryptoswap"),
  ...RECORD_FIELDS,
  ...CURVE_LISTS,
  /**
   * Two or three coins in the pool's own order. A tricrypto pool before NG says of which generation it is: "first" as of May
   * 2021, "second" as of July 2021.
   */
  pools: z
    .array(
      z
        .strictObject({
          ...{ address, coins: z.array(address).min(2).max(3).readonly() },
          generation: z.enum(["first", "second"]).optional(),
        })
        .refine(({ coins, generation }) => generation === undefined || coins.length === 3, {
          error: "a pool before NG has three coins",
        })
        .transform(({ generation, ...pool }) => ({ ...pool, ...(generation && { generation }) })),
    )
    .readonly(),
});

export type CurveCryptoswapRecord = z.infer<typeof curveCryptoswapRecord>;
