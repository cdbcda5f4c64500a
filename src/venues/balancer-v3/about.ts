import type { VenueAbout } from "../venue.ts";

export const balancerV3About: VenueAbout = {
  pools: "weighted and stable (rates, ramps by time) without hooks in a swap",
  rereads: "everything",
  contracts: ["BalancerV3Vault"],
  truth:
    "the makers' sources, compiled by us with their settings; once also the bytecode that stands on mainnet; pools of the first factories where their contracts are given",
  tests: [
    "test/pools/balancer-v3/exactness.test.ts",
    "test/pools/balancer-v3/first-factories.foreign.ts",
    "test/venues/balancer/v3.test.ts",
  ],
};
