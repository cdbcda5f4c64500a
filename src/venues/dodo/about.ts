import type { VenueAbout } from "../venue.ts";

export const dodoAbout: VenueAbout = {
  pools:
    "vending machines (DVM), private pools (DPP) and stable pools (DSP) of the factories that the record names, one fee for every " +
    "trader; a private pool takes part only if its owner, who sets its price, is allowed; checked against querySellBase and querySellQuote when they are found",
  rereads: "everything",
  contracts: ["DevnetDodoPool", "DevnetDodoFactory"],
  truth:
    "our own contracts of the published formulas; another team's vectors (13 of 13 equal); once also the makers' sources, compiled by us",
  tests: [
    "test/pools/dodo/exactness.test.ts",
    "test/pools/dodo/vectors.foreign.ts",
    "test/venues/dodo.test.ts",
    "test/settlement/venues/paid-first/woofi-and-dodo.test.ts",
  ],
};
