import type { VenueAbout } from "../venue.ts";

export const fluidAbout: VenueAbout = {
  pools:
    "DEX T1 of one factory: smart collateral, smart debt or both, native token too, within what may be withdrawn, borrowed and used " +
    "of a token at the block",
  rereads: "everything",
  contracts: ["DevnetFluidPool", "DevnetFluidLiquidity", "DevnetFluidFactory"],
  truth:
    "our own contracts of the published formulas; once also the makers' sources, compiled by us (24,266 swaps: all equal)",
  tests: ["test/pools/fluid/exactness.test.ts", "test/venues/fluid.test.ts"],
};
