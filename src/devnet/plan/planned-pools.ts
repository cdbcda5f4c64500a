import { type CatalogPair, DEPTH_PERCENT, PAIRS, type Venue } from "./catalog.ts";
import type { DevnetLayout, DevnetToken } from "./layout.ts";
import { createRandom, type Random } from "./random.ts";

/** A pool as it is when the devnet starts. */
export interface PlannedPool {
  readonly venue: Venue;
  readonly token0: DevnetToken;
  readonly token1: DevnetToken;
  /** Premium of token0 over its catalog price, in parts per million. */
  readonly offsetPpm: bigint;
  /** Value of one side, in USD. */
  readonly sideUsd: bigint;
  /** Side of the price on which the one-sided position of a Uniswap V3 pool lies. */
  readonly aside: "above" | "below";
}

const SEED = 20_250_615;
/** Prices of the same pair differ by at most this from the catalog's, in parts per million. */
const OFFSET_PPM = 1_500;
const OFFSET_PPM_OF_PEGGED = 150;

/** All pools of the devnet, the same at every call. */
export function plannedPools(layout: DevnetLayout): readonly PlannedPool[] {
  const random = createRandom(SEED);
  return PAIRS.flatMap((pair) => pair.venues.map((venue) => planned(layout, pair, venue, random)));
}

function planned(layout: DevnetLayout, pair: CatalogPair, venue: Venue, random: Random): PlannedPool {
  const [a, b] = [layout.token(pair.tokens[0]), layout.token(pair.tokens[1])];
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a];
  const difference = a.picoUsd > b.picoUsd ? a.picoUsd - b.picoUsd : b.picoUsd - a.picoUsd;
  const spread = difference * 500n < a.picoUsd ? OFFSET_PPM_OF_PEGGED : OFFSET_PPM;
  const jitterPercent = BigInt(60 + random.below(81));
  return {
    venue,
    token0,
    token1,
    offsetPpm: BigInt(random.below(2 * spread + 1) - spread),
    sideUsd: (pair.depthUsd * DEPTH_PERCENT[venue] * jitterPercent) / 20_000n,
    aside: random.pick(["above", "below"]),
  };
}
