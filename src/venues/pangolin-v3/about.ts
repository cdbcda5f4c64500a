import type { VenueAbout } from "../venue.ts";

export const pangolinV3About: VenueAbout = {
  pools: "concentrated liquidity, fees that the factory's owner changes",
  rereads: "fees",
  contracts: ["UniswapV3Pool", "UniswapV3Factory", "DevnetDesk"],
  truth:
    "Uniswap V3's bytecode with the name of Pangolin's callback in it, traded by a desk of ours, its fee changed in place of the factory",
  tests: ["test/venues/pangolin-v3.test.ts", "test/settlement/venues/pangolin-v3.test.ts"],
};
