import type { VenueAbout } from "../venue.ts";

export const balancerV2About: VenueAbout = {
  pools: "weighted and composable stable (rates, ramps by time, the pool's own share traded too); no managed tokens",
  rereads: "fees, pauses, amplification, rates, what the protocol is owed",
  contracts: ["BalancerVault", "BalancerWeightedPool", "BalancerComposableStablePool"],
  truth:
    "the makers' bytecode as it stands on mainnet (third versions; once also the second and fourth weighted, the fourth to sixth stable)",
  tests: [
    "test/pools/weighted/exactness.test.ts",
    "test/pools/composable-stable/exactness.test.ts",
    "test/venues/balancer-v2.test.ts",
  ],
};
