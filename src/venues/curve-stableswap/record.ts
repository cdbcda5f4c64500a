import { z } from "zod";
import { address, RECORD_FIELDS } from "../../market/venue-record.ts";

/**
 * Coins in the pool's own order, the native token as such; "ng" for StableSwap-NG, "old" for what was before it. A metapool
 * says whose share its last coin is. A pool whose own share is to be traded says which token that is: the pool itself, or one
 * that it is the minter of.
 */
const pool = z
  .strictObject({
    address,
    coins: z.array(address).min(2).max(8).readonly(),
    generation: z.enum(["old", "ng"]),
    basePool: address.optional(),
    share: address.optional(),
  })
  .transform(({ basePool, share, ...pool }) => ({ ...pool, ...(basePool && { basePool }), ...(share && { share }) }));

/**
 * Lists of Curve's pools: factories and registries with `pool_count()` and `pool_list(uint256)`, and the address
 * provider that names more of them. Those that make pools come before those that only list them.
 */
export const CURVE_LISTS = {
  lists: z.array(address).readonly().optional(),
  addressProvider: address.optional(),
};

/** Curve's plain stableswap pools and metapools: one by one, and those of lists. */
export const curveStableswapRecord = z.strictObject({
  protocol: z.literal("curve-stableswap"),
  ...RECORD_FIELDS,
  ...CURVE_LISTS,
  pools: z.array(pool).readonly(),
});

export type CurveStableswapRecord = z.infer<typeof curveStableswapRecord>;
