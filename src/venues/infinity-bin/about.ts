import type { VenueAbout } from "../venue.ts";

export const infinityBinAbout: VenueAbout = {
  pools:
    "PancakeSwap Infinity: bins of one price each in one contract, native token too; hooks that change no swap; none while its manager is paused, which is looked at when pools are read. A pool is read again after a swap that may be of either kind, after liquidity that leaves a bin nearly empty or begins one",
  rereads: "nothing",
  contracts: ["DevnetBinManager", "DevnetInfinityVault"],
  truth:
    "our own contract of the documented interface and formulas; once also the makers' sources of BinPoolManager and Vault, compiled by us (quotes and followed blocks: all equal)",
  tests: [
    "test/pools/bins/infinity.test.ts",
    "test/venues/infinity-bin.test.ts",
    "test/settlement/venues/infinity-bin.test.ts",
  ],
};
