import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { NetworkCost } from "../../../src/routing/router.ts";
import { orderAcross, seededPair } from "./seeded-trade.ts";

/** A trade, and what it is asked of. */
export interface MediumTrade {
  readonly order: SwapOrder;
  readonly pools: readonly Pool[];
  readonly cost: NetworkCost;
}

/** Gas of the cheapest pool use, about. */
const USE = 60_000;

/**
 * A seeded trade over six to eleven tokens that are worth the same and two to five pools for each, which stand off by less than a
 * quarter of their fee. A use of a pool costs a tenth of a percent to two percent of it.
 */
export function mediumTrade(seed: number, kind: SwapOrder["kind"]): MediumTrade {
  const random = randomOf(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const size = 6 + Math.floor(random() * 6);
  const tokens = Array.from({ length: size }, (_, i) => addressOf(i + 1));
  const pools = Array.from({ length: 2 * size + Math.floor(random() * size * 3) }, (_, i) => {
    const [first, second] = seededPair(random, size, i);
    const depth = 10 ** between(20, 22.5);
    const off = 1 + 0.003 * between(-0.24, 0.24);
    const pair = [tokens[first] as Address, tokens[second] as Address] as const;
    return pairOf(i, pair, [BigInt(Math.round(depth)), BigInt(Math.round(depth * off))]);
  });
  const amount = BigInt(Math.round(10 ** between(19.5, 22)));
  const use = 10 ** between(-3, -1.7) * Number(amount);
  return {
    order: orderAcross(tokens, kind, amount),
    pools,
    cost: costAt(1n, () => ({ num: BigInt(Math.round(use / USE)), den: 1n })),
  };
}
