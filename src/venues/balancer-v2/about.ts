import type { VenueAbout } from "../venue.ts";

export const balancerV2About: VenueAbout = {
  pools:
    "weighted of every version, composable stable (rates, ramps by time, the pool's own share traded too) and MetaStable; no managed tokens",
  rereads: "fees, pauses, amplification, rates, what the protocol is owed",
  contracts: [
    ...["BalancerVault", "BalancerWeightedPool", "BalancerComposableStablePool", "BalancerWeightedPoolV1Factory"],
    ...["BalancerWeightedPool2TokensFactory", "BalancerMetaStablePoolFactory"],
  ],
  truth:
    "the makers' bytecode as it stands on mainnet (first and third weighted, third composable stable, MetaStable; once also the second and fourth weighted, the fourth to sixth stable); answers of first weighted, MetaStable and other pools on mainnet (all equal)",
  tests: [
    "test/pools/weighted/exactness.test.ts",
    "test/pools/composable-stable/exactness.test.ts",
    "test/venues/balancer/v2.test.ts",
    "test/venues/balancer/first-versions.test.ts",
    "test/vectors/onchain.test.ts",
  ],
};
