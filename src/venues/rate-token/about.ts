import type { VenueAbout } from "../venue.ts";

export const rateTokenAbout: VenueAbout = {
  pools:
    "tokens with wstETH's interface (wrap, unwrap) over a plain token, or into them alone over one of rounded shares (stETH), their rate checked at every block",
  rereads: "everything",
  contracts: ["DevnetRateToken", "ShareWrapper"],
  truth:
    "our own contract of the documented formulas; another team's vectors (that are a rate of two totals: all equal)",
  tests: [
    "test/pools/wrappers/exactness.test.ts",
    "test/pools/wrappers/vectors.foreign.ts",
    "test/venues/wrappers.test.ts",
    "test/chain/tokens/share-tokens.test.ts",
  ],
};
