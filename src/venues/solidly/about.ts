import type { VenueAbout } from "../venue.ts";

export const solidlyAbout: VenueAbout = {
  pools: "Velodrome V2's interface: volatile and stable; exact-out of volatile ones only",
  rereads: "fees, the factory's pause",
  contracts: ["DevnetSolidlyPool"],
  truth:
    "our own contract of the documented formulas; another team's vectors (exact-in: all equal); 28 answers of Aerodrome's pools on Base, volatile and stable (all equal)",
  tests: [
    "test/pools/solidly/exactness.test.ts",
    "test/pools/solidly/vectors.foreign.ts",
    "test/venues/solidly.test.ts",
    "test/settlement/venues/solidly.test.ts",
    "test/vectors/onchain.test.ts",
  ],
};
