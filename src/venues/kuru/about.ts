import type { VenueAbout } from "../venue.ts";

export const kuruAbout: VenueAbout = {
  pools:
    "markets of the Router: as many as 24 levels on either side and 64 orders of the vault take part, exact-in alone; native token " +
    "too; what is less than a part of a token that a market counts in goes to its margin account; paused markets are left out, and " +
    "all of them while the protocol is paused",
  rereads: "the protocol's pause",
  contracts: ["DevnetKuruMarket", "DevnetKuruRouter"],
  truth:
    "our own contracts of the published formulas; once also the makers' sources, compiled by us (22,520 trades and states: all equal)",
  tests: [
    "test/pools/kuru/exactness.test.ts",
    "test/venues/kuru.test.ts",
    "test/settlement/venues/kuru/kuru-markets.test.ts",
  ],
};
