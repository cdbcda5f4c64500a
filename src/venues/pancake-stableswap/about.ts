import type { VenueAbout } from "../venue.ts";

export const pancakeStableswapAbout: VenueAbout = {
  pools:
    "PancakeSwap's StableSwap and Lista's: stableswap of two or three coins, ramps by time, native coins; Lista's within what its comparison with an oracle's price lets through, as of the block; checked against get_dy at every block; without the pools' own shares",
  rereads: "everything",
  contracts: ["DevnetPancakeStableswap"],
  truth: "our own contract of the documented formulas; the makers' own pools where their contracts are given",
  tests: [
    "test/pools/stableswap/price-check.test.ts",
    "test/venues/curve/pancake-stableswap.test.ts",
    "test/venues/curve/pancake-stableswap.foreign.ts",
    "test/settlement/venues/pancake-stable.test.ts",
  ],
};
