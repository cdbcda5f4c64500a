import { toEventSelector } from "viem";
import { type Dialect, UNISWAP } from "../uniswap-v3/dialect.ts";

/**
 * PangolinV3Pool.sol: the factory's owner changes fees of pools, which it still names by their first one, and the callback has a
 * name of its own. Rewards for positions change nothing of a swap.
 */
export const PANGOLIN: Dialect = {
  ...UNISWAP,
  fees: [100n, 500n, 2_500n, 8_000n],
  feeTopic: toEventSelector("SetFee(uint24,uint24)"),
  action: "pangolin-v3-pool",
};
