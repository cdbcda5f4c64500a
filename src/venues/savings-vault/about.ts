import type { VenueAbout } from "../venue.ts";

export const savingsVaultAbout: VenueAbout = {
  pools: "ERC-4626 vaults whose rate grows by the second (sUSDS, sDAI), their four previews checked at every block",
  rereads: "everything",
  contracts: ["DevnetSavings"],
  truth: "our own contract of the documented formulas",
  tests: [
    "test/pools/savings/exactness.test.ts",
    "test/venues/savings-vault.test.ts",
    "test/settlement/venues/savings-vault.test.ts",
  ],
};
