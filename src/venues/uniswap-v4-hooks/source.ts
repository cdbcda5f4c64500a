import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { NEAR, type Reach } from "../uniswap-v3/heads.ts";
import { uniswapV4Errors } from "../uniswap-v4/errors.ts";
import { INITIALIZE, initializedPool, STATE_TOPICS } from "../uniswap-v4/events.ts";
import { DYNAMIC_FEE } from "../uniswap-v4/pool-key.ts";
import { uniswapV4 } from "../uniswap-v4/source.ts";
import { isOwnKey, poolManager, syncPools } from "../uniswap-v4/sync.ts";
import { byAddress, type HookedPool, mayMove, withHookFees } from "./fees.ts";
import type { KnownHook, UniswapV4HooksRecord } from "./record.ts";

/**
 * Pools of Uniswap V4 with hooks that are called in swaps, where the record says what these do: their address, the hash of their
 * code and a model. Pools of other hooks belong to nobody. Fees that hooks answer with are read again for every block, unless
 * they are frozen.
 */
export function uniswapV4Hooks(venue: UniswapV4HooksRecord): LiquiditySource {
  const { source, factory: manager, fromBlock } = venue;
  const known = byAddress(venue.hooks);
  const { apply, action, fillData } = uniswapV4({ protocol: "uniswap-v4", source, factory: manager, fromBlock });
  const hookOf = (pool: Pool): KnownHook | undefined =>
    pool.curve === "concentrated" && pool.state.key !== undefined ? known.get(pool.state.key.hooks) : undefined;
  const movesSilently = (pool: Pool): boolean => {
    const hook = hookOf(pool);
    return hook !== undefined && mayMove(hook);
  };
  const isServed = ({ terms }: PoolRef): boolean => {
    const hook = known.get(terms.hooks as Address);
    // Callbacks may give another fee only to pools whose key says so.
    return hook !== undefined && (Number(terms.fee) === DYNAMIC_FEE) === (hook.model === "liquidity-fee");
  };
  const singleton = {
    ...poolManager(source, manager),
    isSound: (ref: PoolRef) => isOwnKey(manager, ref) && isServed(ref),
  };
  const read = async (chain: ChainReader, refs: readonly PoolRef[], at: BlockRef, reach?: Reach) => {
    const pools = await syncPools({ ...singleton, ...(reach && { reach }) }, chain, refs, at);
    return withControllers(await withHookFees({ chain, at }, pools.filter(isHooked), hookOf), hookOf);
  };
  return {
    ...{ id: source, kind: "amm", exactOut: true, assurance: "modelled", errors: uniswapV4Errors },
    creation: { addresses: [manager], topics: [INITIALIZE] },
    code: venue.hooks.map(({ address, codeHash }) => ({ address, hash: codeHash })),
    created(log) {
      const pool = initializedPool(manager, log);
      return pool !== undefined && isServed(pool) ? pool : undefined;
    },
    refused(log) {
      const pool = initializedPool(manager, log);
      return pool !== undefined && known.has(pool.terms.hooks as Address) && !isServed(pool)
        ? "UNKNOWN_HOOKS"
        : undefined;
    },
    isSound: singleton.isSound,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => log.topics[1],
    sync: (chain, refs, at) => read(chain, refs, at),
    near: (chain, refs, at) => read(chain, refs, at, NEAR),
    async refresh(chain, pools, at) {
      const moved = await withHookFees({ chain, at }, pools.filter(isHooked).filter(movesSilently), hookOf);
      const fresh = new Map(moved.map((pool) => [pool.id, pool]));
      return pools.flatMap((pool) => (movesSilently(pool) ? (fresh.get(pool.id) ?? []) : [pool]));
    },
    movesSilently,
    apply,
    action,
    fillData,
  };
}

function isHooked(pool: Pool): pool is HookedPool {
  return pool.curve === "concentrated";
}

/** Fees in the hooks' hands may rise between a quote and its transaction. */
function withControllers(
  pools: readonly HookedPool[],
  hookOf: (pool: Pool) => KnownHook | undefined,
): readonly HookedPool[] {
  return pools.map(({ controllers: _, ...pool }) => {
    const hook = hookOf(pool);
    return hook !== undefined && mayMove(hook) ? { ...pool, controllers: [hook.address] } : pool;
  });
}
