import type { VenueAbout } from "../venue.ts";

export const infinityClAbout: VenueAbout = {
  pools:
    "PancakeSwap Infinity: concentrated liquidity in one contract, native token too; hooks that change no swap; none while its manager is paused, which is looked at when pools are read",
  rereads: "nothing",
  contracts: ["DevnetClManager", "DevnetInfinityVault"],
  truth:
    "our own contract of the documented interface; once also the makers' sources of CLPoolManager and Vault, compiled by us (swaps and followed blocks: all equal)",
  tests: [
    "test/pools/concentrated/exactness.test.ts",
    "test/venues/infinity-cl.test.ts",
    "test/settlement/venues/infinity-cl.test.ts",
  ],
};
