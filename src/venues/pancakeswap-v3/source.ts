import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { VenueRecord } from "../../market/venue-record.ts";
import { poolsOfFactory } from "../uniswap-v3/source.ts";
import { PANCAKESWAP } from "./dialect.ts";

/** PancakeSwap V3: Uniswap V3's curve with a callback and a Swap event of its own. */
export function pancakeswapV3(venue: Extract<VenueRecord, { protocol: "pancakeswap-v3" }>): LiquiditySource {
  return poolsOfFactory(venue, PANCAKESWAP);
}
