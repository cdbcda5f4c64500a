import type { VenueAbout } from "../venue.ts";

export const uniswapV4HooksAbout: VenueAbout = {
  pools:
    "pools of Uniswap V4 with hooks that the record names by address and code hash: observers, fees on the amount that is not named or on one currency, liquidity fees by direction, Doppler's fees that fall with time (once per route); none of other hooks",
  rereads: "fees that are not frozen",
  contracts: ["PoolManager", "V4Quoter", "DevnetOtherFeeHooks", "DevnetCurrencyFeeHooks", "DevnetPassingHooks"],
  truth:
    "the makers' PoolManager and V4Quoter with hooks of ours by the documented formulas; another team's vectors (8 answers for two hooks of such a model: within 64 base units, which that team takes off)",
  tests: [
    "test/venues/v4-hooks/exactness.test.ts",
    "test/venues/v4-hooks/source.test.ts",
    "test/venues/v4-hooks/doppler.test.ts",
    "test/venues/v4-hooks/vectors.foreign.ts",
    "test/venues/v4-hooks/settlement.test.ts",
  ],
};
