import type { VenueAbout } from "../venue.ts";

export const uniswapV4About: VenueAbout = {
  pools: "concentrated liquidity in one contract, native token too; hooks that change no swap",
  rereads: "dynamic fees",
  contracts: ["PoolManager", "V4Quoter"],
  truth: "the makers' bytecode",
  tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/uniswap-v4.test.ts"],
};
