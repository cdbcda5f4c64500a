import type { VenueAbout } from "../venue.ts";

export const curveStableswapAbout: VenueAbout = {
  pools:
    "stableswap, old and NG (fee by distance from the peg, rates), ramps by time, native coins, the pool's own share by one coin added or removed; metapools by their own coins, the base pool's by its share; found in factories and registries; checked against get_dy at every block",
  rereads: "everything",
  contracts: ["DevnetStableswap"],
  truth:
    "our own contract of the documented formulas; another team's vectors (single exchanges, and a metapool's coin for the base pool's: all equal); answers of the first pool and of RAI's metapool on mainnet (all equal, get_dy's rounding apart)",
  tests: [
    "test/pools/stableswap/exactness.test.ts",
    "test/pools/stableswap/share-exactness.test.ts",
    "test/pools/stableswap/vectors.foreign.ts",
    "test/pools/stableswap/metapool-vectors.foreign.ts",
    "test/venues/curve/curve-native-and-meta.test.ts",
    "test/venues/curve/curve-lists.test.ts",
    "test/venues/curve/curve-and-vault.test.ts",
    "test/settlement/venues/curve-and-vault.test.ts",
    "test/vectors/onchain.test.ts",
  ],
};
