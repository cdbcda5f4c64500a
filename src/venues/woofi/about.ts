import type { VenueAbout } from "../venue.ts";

export const woofiAbout: VenueAbout = {
  pools:
    "WooPPV2 with Wooracle V2: every token that its helper lists, at the oracle's prices as long as these are good, within what a trade " +
    "may be worth and move; checked against tryQuery at every block",
  rereads: "everything",
  contracts: ["DevnetWooPool", "DevnetWooOracle"],
  truth:
    "our own contracts of the published formulas; another team's vectors of this version (all equal); once also the makers' sources, compiled by us",
  tests: [
    "test/pools/woofi/exactness.test.ts",
    "test/pools/woofi/vectors.foreign.ts",
    "test/venues/woofi.test.ts",
    "test/settlement/venues/paid-first/woofi-and-dodo.test.ts",
  ],
};
