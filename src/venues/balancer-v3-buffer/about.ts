import type { VenueAbout } from "../venue.ts";

export const balancerV3BuffersAbout: VenueAbout = {
  pools:
    "buffers of ERC-4626 vaults whose previews are OpenZeppelin's, out of what they hold or through the ERC-4626 vault",
  rereads: "everything",
  contracts: ["BalancerV3Vault", "DevnetVault"],
  truth: "the makers' sources, compiled by us with their settings, over OpenZeppelin's ERC4626",
  tests: [
    "test/pools/balancer-v3-buffer/exactness.test.ts",
    "test/venues/balancer/v3-buffer.test.ts",
    "test/settlement/venues/balancer-v3-buffer.test.ts",
  ],
};
