import type { VenueAbout } from "../venue.ts";

export const liquidityBookAbout: VenueAbout = {
  pools:
    "Liquidity Book 2.1 and 2.2 (LFJ, Pharaoh DLMM): bins of one price each, a fee by how far the price moved lately, hooks",
  rereads: "nothing",
  contracts: ["DevnetBinPair"],
  truth: "our own contract of the documented formulas; another team's vectors (6 of 6 equal)",
  tests: [
    "test/pools/bins/exactness.test.ts",
    "test/pools/bins/vectors.foreign.ts",
    "test/venues/liquidity-book.test.ts",
    "test/settlement/venues/lb-pairs.test.ts",
  ],
};
