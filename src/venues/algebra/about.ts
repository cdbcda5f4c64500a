import type { VenueAbout } from "../venue.ts";

export const algebraAbout: VenueAbout = {
  pools: "Algebra Integral: concentrated liquidity without a plugin",
  rereads: "nothing",
  contracts: ["AlgebraPool"],
  truth: "the makers' bytecode",
  tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/algebra.test.ts"],
};
