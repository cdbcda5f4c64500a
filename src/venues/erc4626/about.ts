import type { VenueAbout } from "../venue.ts";

export const erc4626About: VenueAbout = {
  pools: "vaults whose four previews are OpenZeppelin's to the wei, checked at every block",
  rereads: "everything",
  contracts: ["DevnetVault"],
  truth: "OpenZeppelin's ERC4626, compiled by us; another team's vectors (that are a rate of two totals: all equal)",
  tests: [
    "test/pools/vault/exactness.test.ts",
    "test/pools/wrappers/vectors.foreign.ts",
    "test/venues/curve/curve-and-vault.test.ts",
    "test/settlement/venues/curve-and-vault.test.ts",
  ],
};
