import type { VenueAbout } from "../venue.ts";

export const dodoAbout: VenueAbout = {
  pools:
    "vending machines (DVM), private pools (DPP) and stable pools (DSP) of the factories that the record names, one fee for every " +
    "trader; checked against querySellBase and querySellQuote when they are found",
  rereads: "everything",
  contracts: ["DevnetDodoPool", "DevnetDodoMath"],
  truth: "our own contracts of the published formulas",
  tests: ["test/pools/dodo/exactness.test.ts", "test/venues/dodo.test.ts"],
};
