import type { VenueAbout } from "../venue.ts";

export const liquidityBookAbout: VenueAbout = {
  pools:
    "Liquidity Book 2.1 and 2.2 (LFJ, Pharaoh DLMM): bins of one price each, hooks; a fee by how far the price moved lately, as of the quote's own second: in a later block it may be another, and the minimum protects; exact-out where the amount comes out to the wei; pairs with thousands of bins, or with many that lie far apart, are left out",
  rereads: "nothing",
  contracts: ["DevnetBinPair"],
  truth:
    "our own contract of the documented formulas; another team's vectors (6 of 6 equal); once also the makers' sources of 2.1.1 and of 2.2, compiled by us (views, swaps and followed blocks: all equal)",
  tests: [
    "test/pools/bins/exactness.test.ts",
    "test/pools/bins/vectors.foreign.ts",
    "test/venues/liquidity-book.test.ts",
    "test/settlement/venues/paid/lb-pairs.test.ts",
    "test/quoting/quote/donated-dust.test.ts",
  ],
};
