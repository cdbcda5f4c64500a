import { randomOf } from "../../fixtures/random.ts";
import { FREE } from "../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import type { PoolId } from "../../src/domain/route.ts";
import { createPoolStore } from "../../src/market/pool-store.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import type { PoolGraph, Router } from "../../src/routing/router.ts";
import { ask, processorMs } from "./ask.ts";

const BLOCKS = 88;
/** Blocks that do not count: in these what every block runs is compiled, beside the answers, for as long as small blocks take. */
const WARM_UP = 48;
/** Answers that the first one of a block is compared with: the quickest of them. */
const REPEATS = 3;
const TIME = 1_700_000_000n;
/** Least and largest part by which a trade moves a pool's rate. */
const LEAST = 1e-6;
const MOST = 1e-3;

/**
 * Extra time of each router's first answer of a block over its quickest later one, block by block. Routers take turns,
 * the last one first in every second block.
 */
export function costsInTurns(
  routers: readonly Router[],
  blocks: Iterator<PoolGraph, never>,
  order: SwapOrder,
): readonly (readonly number[])[] {
  const costs = routers.map((): number[] => []);
  const atFirst = blocks.next().value;
  for (const router of routers) ask(router, { graph: atFirst, cost: FREE, order });
  for (let block = 1; block <= BLOCKS; block++) {
    const graph = blocks.next().value;
    const turns = [...routers.entries()];
    // Blocks that trade and those that trade back differ: both sides begin as often with either.
    for (const [side, router] of block % 4 < 2 ? turns : turns.reverse()) {
      const first = processorMs(() => ask(router, { graph, cost: FREE, order }));
      const after = Array.from(
        { length: REPEATS },
        () => processorMs(() => ask(router, { graph, cost: FREE, order })).ms,
      );
      if (block > WARM_UP) costs[side]?.push(Math.max(0, first.ms - Math.min(...after)));
    }
  }
  return costs;
}

/**
 * Pools as they are, then block after block in which one in a hundred trades. Every second block trades back what the one
 * before moved, as arbitrage does, so that pools do not drift apart block by block.
 */
export function* blocksOf(pools: readonly Pool[]): Generator<PoolGraph, never> {
  const random = randomOf(1);
  const store = createPoolStore();
  for (const pool of pools) store.set(pool.id, pool);
  let moved = new Map<PoolId, Pool>();
  yield store.freeze(TIME);
  for (let block = 1n; ; block++) {
    if (moved.size > 0) {
      // A pool that moves back has a new state, as after a trade.
      for (const pool of moved.values()) store.set(pool.id, { ...pool, state: { ...pool.state } } as Pool);
      moved = new Map();
    } else {
      while (moved.size < pools.length / 100) {
        const pool = pools[Math.floor(random() * pools.length)] as Pool;
        if (moved.has(pool.id)) continue;
        moved.set(pool.id, pool);
        store.set(pool.id, traded(pool, random));
      }
    }
    yield store.freeze(TIME + block);
  }
}

/** The pool after a trade either way that moves its rate by a part that is log-uniform between LEAST and MOST. */
function traded(pool: Pool, random: () => number): Pool {
  const [sell, buy] = random() < 0.5 ? [0, 1] : [1, 0];
  const part = LEAST * (MOST / LEAST) ** random();
  const math = mathOf(pool);
  const curve = math.curve(pool.state, { sell, buy }, TIME);
  const amount = curve?.sellAmountAtRate(curve.marginalRate(0) * (1 - part)) ?? 0;
  const quote = math.quoteExactIn(pool.state, { sell, buy }, BigInt(Math.floor(amount)), TIME);
  return isRejection(quote) ? pool : ({ ...pool, state: quote.next } as Pool);
}
