import type { VenueAbout } from "../venue.ts";

export const curveCryptoswapAbout: VenueAbout = {
  pools:
    "twocrypto-NG and tricrypto-NG, ramps by time; both generations of tricrypto before NG, not during ramps; found in factories and registries; once per route, checked against get_dy at every block",
  rereads: "everything",
  contracts: ["DevnetCryptoswap"],
  truth:
    "our own contract of the documented formulas; another team's vectors (single exchanges: all equal); of tricrypto before NG ten answers of the first pool's get_dy on mainnet (all equal), of the second generation no contract",
  tests: [
    "test/pools/cryptoswap/exactness.test.ts",
    "test/pools/cryptoswap/vectors.foreign.ts",
    "test/venues/curve/curve-lists.test.ts",
    "test/venues/curve/cryptoswap.test.ts",
    "test/venues/curve/tricrypto-before-ng.test.ts",
    "test/vectors/onchain.test.ts",
  ],
};
