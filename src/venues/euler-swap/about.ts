import type { VenueAbout } from "../venue.ts";

export const eulerSwapAbout: VenueAbout = {
  pools:
    "versions 1 and 2: pools of version 1's factory, and those of version 2 that the registry lists, if the operator allows the account " +
    "that may reconfigure one; within what the vaults take in and pay out at the block; not with hooks in swaps, nor while switched off, " +
    "expired or no operator of their account; checked against computeQuote when they are found",
  rereads: "everything",
  contracts: ["DevnetEulerPool", "DevnetEulerFactory"],
  truth:
    "our own contracts of the published formulas; another team's vectors (2 of 2 that are paid); once also the makers' own curve of both " +
    "versions, compiled by us (44,179 quotes and swaps: all equal)",
  tests: [
    "test/pools/euler-swap/exactness.test.ts",
    "test/pools/euler-swap/vectors.foreign.ts",
    "test/venues/euler-swap.test.ts",
    "test/settlement/venues/paid/euler-swap.test.ts",
  ],
};
