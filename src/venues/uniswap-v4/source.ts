import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { NEAR } from "../uniswap-v3/heads.ts";
import type { V4PoolAction } from "./action.ts";
import { uniswapV4Errors } from "./errors.ts";
import { announcedPool, hasSwapHooks, INITIALIZE, STATE_TOPICS, stateAfter } from "./events.ts";
import type { V4Key } from "./pool-key.ts";
import type { UniswapV4Record } from "./record.ts";
import { isDynamic, poolManager, refreshFees, syncPools } from "./sync.ts";

/**
 * Uniswap V4: pools of one PoolManager, with native token too. Pools whose hooks are called in a swap are left out. A fee
 * that hooks set moves without a log: it is read again for every block.
 */
export function uniswapV4(venue: UniswapV4Record): LiquiditySource {
  const manager = venue.factory;
  const singleton = poolManager(venue.source, manager);
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    errors: uniswapV4Errors,
    creation: { addresses: [manager], topics: [INITIALIZE] },
    created: (log) => announcedPool(manager, log),
    refused: (log) => (hasSwapHooks(manager, log) ? "UNKNOWN_HOOKS" : undefined),
    isSound: singleton.isSound,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => log.topics[1],
    sync: (chain, refs, at) => syncPools(singleton, chain, refs, at),
    near: (chain, refs, at) => syncPools({ ...singleton, reach: NEAR }, chain, refs, at),
    refresh: (chain, pools, at) => refreshFees(manager, chain, pools, at),
    movesSilently: isDynamic,

    apply(pool, log) {
      if (pool.curve !== "concentrated" || log.address !== manager || log.topics[1] !== pool.id) return "resync";
      const state = stateAfter(pool.state, log);
      return state === undefined ? "resync" : { ...pool, state };
    },

    action(pool): V4PoolAction {
      const { fee, hooks, tickSpacing } = termsOf(pool);
      return { action: "v4-pool", manager, fee, tickSpacing, hooks };
    },
    fillData(pool) {
      const { fee, hooks, tickSpacing } = termsOf(pool);
      const terms = { fee: String(fee), tickSpacing: String(tickSpacing), hooks };
      return { poolManager: manager, poolId: pool.id, ...terms };
    },
  };
}

function termsOf({ id, curve, state }: Pool): Omit<V4Key, "currencies"> {
  if (curve !== "concentrated" || state.key === undefined) throw new TypeError(`${id} is no pool of Uniswap V4`);
  return { ...state.key, tickSpacing: state.tickSpacing };
}
