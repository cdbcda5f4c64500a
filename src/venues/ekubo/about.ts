import type { VenueAbout } from "../venue.ts";

export const ekuboAbout: VenueAbout = {
  pools:
    "Ekubo V3: liquidity between ticks or within one range, native token too; extensions that are called in no swap, and the oracle and boosted fees, which change none; none with tick spacings below 100, whose bitmaps have more than 7,000 words and would be read whole (6,932 are the most of a Uniswap V3 pool)",
  rereads: "nothing",
  contracts: ["DevnetEkuboCore"],
  truth: "our own contract of the documented interface, storage and logs",
  tests: [
    "test/pools/ekubo/exactness.test.ts",
    "test/venues/ekubo.test.ts",
    "test/settlement/venues/ekubo/ekubo.test.ts",
  ],
};
