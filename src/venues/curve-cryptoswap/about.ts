import type { VenueAbout } from "../venue.ts";

export const curveCryptoswapAbout: VenueAbout = {
  pools: "twocrypto-NG and tricrypto-NG, ramps by time; once per route, checked against get_dy at every block",
  rereads: "everything",
  contracts: ["DevnetCryptoswap"],
  truth: "our own contract of the documented formulas; another team's vectors (single exchanges: all equal)",
  tests: [
    "test/pools/cryptoswap/exactness.test.ts",
    "test/pools/cryptoswap/vectors.test.ts",
    "test/venues/cryptoswap.test.ts",
  ],
};
