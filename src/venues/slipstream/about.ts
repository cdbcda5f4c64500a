import type { VenueAbout } from "../venue.ts";

export const slipstreamAbout: VenueAbout = {
  pools: "Slipstream's interface: concentrated liquidity by tick spacing, any fee that the pool answers with",
  rereads: "fees, and whether they are worked out of past prices",
  contracts: ["UniswapV3Pool", "DevnetSlipstreamFactory"],
  truth:
    "Uniswap V3's bytecode behind a factory of ours, its fee changed in place of a module; trades with its own pools where their contracts are given; 14 answers for an Aerodrome pool on Base (all equal)",
  tests: ["test/venues/slipstream.test.ts", "test/promise/slipstream.foreign.ts", "test/vectors/onchain.test.ts"],
};
