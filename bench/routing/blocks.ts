import { createPoolStore } from "../../src/market/pool-store.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { FREE, randomOf } from "../../test/support/universe.ts";
import { ask, processorMs } from "./figures.ts";
import type { Trade } from "./trades.ts";

const BLOCKS = 12;
const WARM_UP = 4;
const TIME = 1_700_000_000n;

export interface BlockCosts {
  /** Milliseconds of processor time, block by block. */
  readonly ms: readonly number[];
  /** What `held` says in the end, with the pools and the router that has followed them. */
  readonly held: number;
}

/**
 * What blocks that change one pool in a hundred add to the next answer: the first answer of a block less the second.
 */
export function blockCosts(pools: readonly Pool[], trade: Trade, held: () => number): BlockCosts {
  const random = randomOf(1);
  const store = createPoolStore();
  for (const pool of pools) store.set(pool.id, pool);
  const router = createRouter();
  ask(router, store.freeze(TIME, new Set()), FREE, trade);
  const costs: number[] = [];
  for (let block = 1; block <= BLOCKS; block++) {
    for (let i = 0; i < pools.length / 100; i++) {
      const pool = pools[Math.floor(random() * pools.length)] as Pool;
      store.set(pool.id, moved(store.get(pool.id) as Pool));
    }
    const graph = store.freeze(TIME + BigInt(block), new Set());
    const first = processorMs(() => ask(router, graph, FREE, trade));
    const second = processorMs(() => ask(router, graph, FREE, trade));
    if (block > WARM_UP) costs.push(Math.max(0, first.ms - second.ms));
  }
  const inUse = held();
  ask(router, store.freeze(TIME, new Set()), FREE, trade);
  return { ms: costs, held: inUse };
}

/** The pool after a trade of next to nothing. */
function moved(pool: Pool): Pool {
  if (pool.curve === "constant-product") {
    const [first, second] = pool.state.reserves;
    return { ...pool, state: { ...pool.state, reserves: [first + 1n, second] } };
  }
  if (pool.curve === "concentrated")
    return { ...pool, state: { ...pool.state, sqrtPriceX96: pool.state.sqrtPriceX96 + 1n } };
  return { ...pool } as Pool;
}
