import type { VenueAbout } from "../venue.ts";

export const ramsesAbout: VenueAbout = {
  pools: "Ramses V3's interface (Pharaoh, Shadow): concentrated liquidity by tick spacing, a fee that the factory sets",
  rereads: "fees",
  contracts: ["UniswapV3Pool", "RamsesFactory"],
  truth:
    "Uniswap V3's bytecode behind a factory of ours, its fee changed in place of the factory; events of the makers' source",
  tests: ["test/venues/ramses.test.ts"],
};
