import type { VenueAbout } from "../venue.ts";

export const uniswapV3About: VenueAbout = {
  pools: "concentrated liquidity",
  rereads: "nothing",
  contracts: ["UniswapV3Pool", "QuoterV2"],
  truth: "the makers' bytecode",
  tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/uniswap-v3.test.ts"],
};
