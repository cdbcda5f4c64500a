import type { VenueAbout } from "../venue.ts";

export const psmAbout: VenueAbout = {
  pools: "price stability modules with DssLitePsm's interface: fees per direction, halts, what they hold",
  rereads: "everything",
  contracts: ["DevnetPsm"],
  truth: "our own contract of the documented formulas",
  tests: ["test/pools/wrappers/exactness.test.ts", "test/venues/wrappers.test.ts"],
};
