import type { VenueAbout } from "../venue.ts";

export const maverickAbout: VenueAbout = {
  pools:
    "pools of the factory that belong to nobody, exact-in and exact-out; as many as 64 ticks on either side of the price take part; " +
    "bins move after a swap and never before one, so that a route uses a pool with such bins once; pools with an accessor, who may set their fees or keep others from trading, are left out",
  rereads: "nothing",
  contracts: ["DevnetMaverickPool", "DevnetMaverickFactory"],
  truth:
    "our own contract of the documented formulas; another team's vectors (3 of 3 equal); once also the makers' code as it stands on BNB Smart Chain (26,146 swaps and states: all equal)",
  tests: [
    "test/pools/maverick/exactness.test.ts",
    "test/pools/maverick/vectors.foreign.ts",
    "test/venues/maverick.test.ts",
    "test/settlement/venues/paid/maverick-pools.test.ts",
  ],
};
