import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { poolsOfFactory } from "../uniswap-v3/source.ts";
import { PANCAKESWAP } from "./dialect.ts";
import type { PancakeswapV3Record } from "./record.ts";

/** PancakeSwap V3: Uniswap V3's curve with a callback and a Swap event of its own. */
export function pancakeswapV3(venue: PancakeswapV3Record): LiquiditySource {
  return poolsOfFactory(venue, PANCAKESWAP);
}
