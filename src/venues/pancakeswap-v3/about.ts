import type { VenueAbout } from "../venue.ts";

export const pancakeswapV3About: VenueAbout = {
  pools: "concentrated liquidity",
  rereads: "nothing",
  contracts: ["PancakeV3Pool"],
  truth: "the makers' bytecode; our own deployer",
  tests: [
    "test/pools/concentrated/exactness.test.ts",
    "test/venues/pancake-v3.test.ts",
    "test/settlement/venues/pancake-v3.test.ts",
  ],
};
