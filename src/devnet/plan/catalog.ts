/** A token of the devnet as data. */
export interface CatalogToken {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Worth of one token when the devnet starts, in 10^-12 USD. */
  readonly picoUsd: bigint;
  /** Whether transfer and approve return nothing and approve wants a reset to zero first. */
  readonly returnless?: true;
}

/** A fee tier of Uniswap V3 in parts per million, or one of the two venues with constant-product pairs. */
export type Venue = "uniswap-v2" | "pancake-v2" | FeeTier;
export type FeeTier = 100 | 500 | 3000 | 10_000;

/** The pools between two tokens. */
export interface CatalogPair {
  readonly tokens: readonly [string, string];
  /** Worth of an average pool, both sides together, in USD. */
  readonly depthUsd: bigint;
  readonly venues: readonly Venue[];
}

export const WRAPPED_NATIVE: CatalogToken = {
  symbol: "WETH",
  name: "Wrapped Ether",
  decimals: 18,
  picoUsd: 2_140_000_000_000_000n,
};

/**
 * Prices are such that many pools start within a few percent of a border between two words of the tick bitmap
 * (a multiple of 256 × tick spacing): trades of ordinary size then cross it.
 */
export const TOKENS: readonly CatalogToken[] = [
  { symbol: "USDH", name: "Harbor Dollar", decimals: 6, picoUsd: 1_000_000_000_000n },
  { symbol: "USDR", name: "River Dollar", decimals: 6, picoUsd: 999_700_000_000n, returnless: true },
  { symbol: "DSD", name: "Delta Stable Dollar", decimals: 18, picoUsd: 1_000_400_000_000n },
  { symbol: "EURF", name: "Ford Euro", decimals: 6, picoUsd: 1_084_000_000_000n },
  { symbol: "WBT", name: "Weir Bitcoin", decimals: 8, picoUsd: 46_600_000_000_000_000n },
  { symbol: "LOCK", name: "Lock Governance", decimals: 18, picoUsd: 12_200_000_000_000n },
  { symbol: "DAM", name: "Dam Protocol", decimals: 18, picoUsd: 98_700_000_000_000n },
  { symbol: "MILL", name: "Mill Power", decimals: 18, picoUsd: 4_620_000_000_000n },
  { symbol: "OXBW", name: "Oxbow", decimals: 18, picoUsd: 75_500_000_000n },
  { symbol: "SILT", name: "Silt", decimals: 18, picoUsd: 2_700_000n },
  { symbol: "TIDE", name: "Tide Network", decimals: 8, picoUsd: 2_410_000_000_000n },
  { symbol: "REED", name: "Reed", decimals: 18, picoUsd: 812_000_000_000n },
  { symbol: "MOSS", name: "Moss", decimals: 18, picoUsd: 31_000_000_000n },
  { symbol: "FERN", name: "Fern Credits", decimals: 6, picoUsd: 640_000_000_000n },
  { symbol: "PEBL", name: "Pebble", decimals: 18, picoUsd: 5_300_000_000n },
];

/** REED, FERN and PEBL take two hops from WETH, MOSS takes three. */
export const PAIRS: readonly CatalogPair[] = [
  { tokens: ["WETH", "USDH"], depthUsd: 8_000_000n, venues: ["uniswap-v2", "pancake-v2", 100, 500, 3000, 10_000] },
  { tokens: ["WETH", "USDR"], depthUsd: 6_000_000n, venues: ["uniswap-v2", "pancake-v2", 100, 500, 3000, 10_000] },
  { tokens: ["WETH", "DSD"], depthUsd: 3_000_000n, venues: ["uniswap-v2", "pancake-v2", 500, 3000] },
  { tokens: ["USDH", "USDR"], depthUsd: 5_000_000n, venues: ["uniswap-v2", "pancake-v2", 100, 500] },
  { tokens: ["USDH", "DSD"], depthUsd: 3_000_000n, venues: ["uniswap-v2", 100, 500] },
  { tokens: ["USDR", "DSD"], depthUsd: 1_200_000n, venues: ["pancake-v2", 100] },
  { tokens: ["WBT", "WETH"], depthUsd: 7_000_000n, venues: ["uniswap-v2", "pancake-v2", 500, 3000, 10_000] },
  { tokens: ["WBT", "USDH"], depthUsd: 2_500_000n, venues: ["uniswap-v2", 500, 3000] },
  { tokens: ["WBT", "USDR"], depthUsd: 1_500_000n, venues: ["pancake-v2", 3000] },
  { tokens: ["EURF", "USDH"], depthUsd: 1_000_000n, venues: ["uniswap-v2", 100, 500] },
  { tokens: ["EURF", "WETH"], depthUsd: 500_000n, venues: ["pancake-v2", 500] },
  { tokens: ["LOCK", "WETH"], depthUsd: 2_000_000n, venues: ["uniswap-v2", "pancake-v2", 3000, 10_000] },
  { tokens: ["LOCK", "USDH"], depthUsd: 400_000n, venues: ["uniswap-v2", 3000] },
  { tokens: ["DAM", "WETH"], depthUsd: 1_500_000n, venues: ["uniswap-v2", "pancake-v2", 3000] },
  { tokens: ["DAM", "USDR"], depthUsd: 300_000n, venues: ["uniswap-v2", 10_000] },
  { tokens: ["MILL", "WETH"], depthUsd: 1_000_000n, venues: ["uniswap-v2", "pancake-v2", 3000] },
  { tokens: ["MILL", "DSD"], depthUsd: 350_000n, venues: ["uniswap-v2", 3000] },
  { tokens: ["OXBW", "WETH"], depthUsd: 600_000n, venues: ["uniswap-v2", "pancake-v2", 10_000] },
  { tokens: ["OXBW", "USDH"], depthUsd: 200_000n, venues: ["uniswap-v2", 10_000] },
  { tokens: ["SILT", "WETH"], depthUsd: 800_000n, venues: ["uniswap-v2", "pancake-v2", 10_000] },
  { tokens: ["TIDE", "WETH"], depthUsd: 700_000n, venues: ["uniswap-v2", 3000] },
  { tokens: ["TIDE", "WBT"], depthUsd: 250_000n, venues: ["pancake-v2", 3000] },
  { tokens: ["REED", "MILL"], depthUsd: 300_000n, venues: ["uniswap-v2", 3000] },
  { tokens: ["REED", "TIDE"], depthUsd: 150_000n, venues: ["pancake-v2", 10_000] },
  { tokens: ["MOSS", "REED"], depthUsd: 120_000n, venues: ["uniswap-v2", 10_000] },
  { tokens: ["FERN", "OXBW"], depthUsd: 100_000n, venues: ["pancake-v2", 3000] },
  { tokens: ["PEBL", "LOCK"], depthUsd: 20_000n, venues: ["uniswap-v2"] },
];

/** Depth of each venue's pools, in percent of the average. */
export const DEPTH_PERCENT: Readonly<Record<Venue, bigint>> = {
  "uniswap-v2": 100n,
  "pancake-v2": 45n,
  100: 120n,
  500: 150n,
  3000: 80n,
  10000: 6n,
};

export const TICK_SPACING: Readonly<Record<FeeTier, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 };
