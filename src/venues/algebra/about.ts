import type { VenueAbout } from "../venue.ts";

export const algebraAbout: VenueAbout = {
  pools:
    "Algebra Integral: concentrated liquidity without a plugin, and custom pools of known deployers with Algebra's adaptive fee (Blackhole), as of the quote's own second: in a later block it may be another, and the minimum protects. An account with a discount of the pool's own pays less. Others with a plugin that is called before a swap are left out",
  rereads: "fees of plugins",
  contracts: ["AlgebraPool", "AlgebraBasePluginV1", "AlgebraQuoterV2"],
  truth: "the makers' bytecode, that of their plugin and quoter too; a deployer of ours",
  tests: [
    "test/pools/concentrated/exactness.test.ts",
    "test/venues/algebra.test.ts",
    "test/venues/algebra-plugins.test.ts",
  ],
};
