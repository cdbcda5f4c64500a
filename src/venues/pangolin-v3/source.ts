import { toFunctionSelector } from "viem";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { inSlices } from "../reading/slices.ts";
import { withFees } from "../uniswap-v3/fees.ts";
import { poolsOfFactory } from "../uniswap-v3/source.ts";
import { PANGOLIN } from "./dialect.ts";
import type { PangolinV3Record } from "./record.ts";

const FEES = [toFunctionSelector("fee()")];

/**
 * Pangolin V3: Uniswap V3's curve with a callback of its own name. The factory's owner sets a pool's fee at any time, which the
 * pool announces; all the same it is read again for every block.
 */
export function pangolinV3(venue: PangolinV3Record): LiquiditySource {
  return {
    ...poolsOfFactory(venue, PANGOLIN),
    assurance: "modelled",
    refresh: (chain, pools, at) => inSlices(pools, (slice) => withFees(chain, slice, at, FEES)),
  };
}
