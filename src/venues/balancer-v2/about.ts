import type { VenueAbout } from "../venue.ts";

export const balancerV2About: VenueAbout = {
  pools:
    "weighted of every version, composable stable (rates, ramps by time, the pool's own share traded too) and MetaStable; Gyroscope's 2-CLP, " +
    "3-CLP and E-CLP with and without rate providers, as modelled pools that are checked against the vault's query when they are found; no managed tokens",
  rereads: "fees, pauses, amplification, rates, what the protocol is owed",
  contracts: [
    ...["BalancerVault", "BalancerWeightedPool", "BalancerComposableStablePool", "BalancerWeightedPoolV1Factory"],
    ...["BalancerWeightedPool2TokensFactory", "BalancerMetaStablePoolFactory"],
  ],
  truth:
    "the makers' bytecode as it stands on mainnet (first and third weighted, third composable stable, MetaStable; once also the second and fourth weighted, the fourth to sixth stable); answers of first weighted, MetaStable and other pools on mainnet (all equal); Gyroscope's: a contract of ours with the published formulas, in the vault's bytecode; once also the bytecode of 13 builds of its pools that stand on mainnet, Polygon and Optimism (293,925 swaps: all equal); another team's vectors (8 of 8 equal)",
  tests: [
    "test/pools/weighted/exactness.test.ts",
    "test/pools/composable-stable/exactness.test.ts",
    "test/pools/gyro/exactness.test.ts",
    "test/pools/gyro/vectors.foreign.ts",
    "test/venues/balancer/v2.test.ts",
    "test/venues/balancer/gyro.test.ts",
    "test/venues/balancer/first-versions.test.ts",
    "test/vectors/onchain.test.ts",
  ],
};
