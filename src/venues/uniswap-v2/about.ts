import type { VenueAbout } from "../venue.ts";

export const uniswapV2About: VenueAbout = {
  pools: "constant product, any fee in whole parts per million",
  rereads: "nothing",
  contracts: ["UniswapV2Pair", "UniswapV2Router02", "PancakePair"],
  truth: "the makers' bytecode (Uniswap, the first PancakeSwap)",
  tests: ["test/pools/constant-product/exactness.test.ts", "test/venues/uniswap-v2.test.ts"],
};
