import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { orderAcross, seededPair } from "./seeded-trade.ts";

/** A maker that buys the first of two tokens, a thousandth cheaper at each level of `size`. */
export function makerOf(
  n: number,
  tokens: readonly [Address, Address],
  size: bigint,
  { levels = 1, best = 9970n }: { readonly levels?: number; readonly best?: bigint } = {},
): Pool {
  const bids = Array.from({ length: levels }, (_, i) => ({
    takerAmount: size,
    makerAmount: (size * (best - BigInt(10 * i))) / 10_000n,
  }));
  return { id: addressOf(n, "pool"), source: "Maker", tokens, curve: "levels", state: { bids, asks: [] } };
}

const FEES = [
  { feePpm: 100, tickSpacing: 1 },
  { feePpm: 500, tickSpacing: 10 },
  { feePpm: 3000, tickSpacing: 60 },
];

/**
 * A seeded trade over five to ten tokens that are worth the same and two to five pools for each, half of them makers, half
 * concentrated pools that stand off by less than a quarter of their fee.
 */
export function makerTrade(seed: number, kind: SwapOrder["kind"]): { order: SwapOrder; pools: readonly Pool[] } {
  const random = randomOf(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const size = 5 + Math.floor(random() * 6);
  const tokens = Array.from({ length: size }, (_, i) => addressOf(i + 1));
  const pools = Array.from({ length: 2 * size + Math.floor(random() * size * 3) }, (_, i): Pool => {
    const [first, second] = seededPair(random, size, i);
    const pair = [tokens[Math.min(first, second)] as Address, tokens[Math.max(first, second)] as Address] as const;
    const depth = 10 ** between(20, 22.5);
    if (random() < 0.5)
      return makerOf(i, pair, BigInt(Math.round(depth / 50)), { levels: 1 + Math.floor(random() * 4) });
    const fees = FEES[Math.floor(random() * FEES.length)] as (typeof FEES)[number];
    const tick = Math.round((fees.feePpm / 100) * between(-0.24, 0.24));
    const width = 5 + Math.floor(random() * 40);
    return concentratedOf(i, pair, tick, BigInt(Math.round(depth * between(1, 10))), { ...fees, width });
  });
  const amount = BigInt(Math.round(10 ** between(19, 21.8)));
  return { order: orderAcross(tokens, kind, amount), pools };
}
