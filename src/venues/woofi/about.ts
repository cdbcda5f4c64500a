import type { VenueAbout } from "../venue.ts";

export const woofiAbout: VenueAbout = {
  pools:
    "WooPPV2 with Wooracle V2: every token that its helper lists, at the oracle's prices as long as these are good, within what a trade " +
    "may be worth and move; checked against tryQuery at every block",
  rereads: "everything",
  contracts: ["DevnetWooPool", "DevnetWooOracle"],
  truth: "our own contracts of the published formulas",
  tests: ["test/pools/woofi/exactness.test.ts", "test/venues/woofi.test.ts"],
};
