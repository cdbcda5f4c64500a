import type { Address } from "../../domain/address.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { type ChainAt, NEAR } from "../uniswap-v3/heads.ts";
import { uniswapV4Errors } from "../uniswap-v4/errors.ts";
import { INITIALIZE, initializedPool, STATE_TOPICS } from "../uniswap-v4/events.ts";
import { DYNAMIC_FEE } from "../uniswap-v4/pool-key.ts";
import { uniswapV4 } from "../uniswap-v4/source.ts";
import { isOwnKey, poolManager, syncPools } from "../uniswap-v4/sync.ts";
import { mayBePassedElsewhere, refreshPassedFees, withPassedFees } from "./doppler.ts";
import { byAddress, type HookedPool, mayMove, type OwnHook, withHookFees } from "./fees.ts";
import type { DopplerHook, KnownHook, UniswapV4HooksRecord } from "./record.ts";

/**
 * Pools of Uniswap V4 with hooks that are called in swaps, where the record says what these do: their address, the hash of their
 * code and a model. Pools of other hooks belong to nobody. Fees that hooks answer with are read again for every block, unless
 * they are frozen.
 */
export function uniswapV4Hooks(venue: UniswapV4HooksRecord): LiquiditySource {
  const { source, factory: manager, fromBlock } = venue;
  const { apply, action, fillData } = uniswapV4({ protocol: "uniswap-v4", source, factory: manager, fromBlock });
  const known = knownHooks(venue);
  const { dopplers, ownHookOf, isServed, movesSilently } = known;
  const singleton = {
    ...poolManager(source, manager),
    isSound: (ref: PoolRef) => isOwnKey(manager, ref) && isServed(ref),
  };
  const readOwn = async (to: ChainAt, pools: readonly HookedPool[]) =>
    withControllers(await withHookFees(to, pools.filter(ownHookOf), ownHookOf), ownHookOf);
  return {
    ...{ id: source, kind: "amm", exactOut: true, assurance: "modelled", errors: uniswapV4Errors },
    creation: { addresses: [manager], topics: [INITIALIZE] },
    code: known.code,
    created(log) {
      const pool = initializedPool(manager, log);
      return pool !== undefined && isServed(pool) ? pool : undefined;
    },
    refused(log) {
      const pool = initializedPool(manager, log);
      return pool !== undefined && known.names(pool) && !isServed(pool) ? "UNKNOWN_HOOKS" : undefined;
    },
    isSound: singleton.isSound,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => log.topics[1],
    async sync(chain, refs, at, reportUnserved = () => {}) {
      const pools = (await syncPools(singleton, chain, refs, at)).filter(isHooked);
      const reading = { chain, at, reportUnserved };
      const passed = dopplers.map((hook) => withPassedFees(reading, hook, known.poolsOf(hook, pools)));
      return (await Promise.all([readOwn(reading, pools), ...passed])).flat();
    },
    async near(chain, refs, at) {
      const pools = (await syncPools({ ...singleton, reach: NEAR }, chain, refs, at)).filter(isHooked);
      // A pool is worth the same whatever it passes its swaps to: that is read with the whole pool.
      return [...(await readOwn({ chain, at }, pools)), ...dopplers.flatMap((hook) => known.poolsOf(hook, pools))];
    },
    async refresh(chain, pools, at) {
      const moving = pools.filter(isHooked).filter(movesSilently);
      const own = withHookFees({ chain, at }, moving.filter(ownHookOf), ownHookOf);
      const passed = dopplers.map((hook) =>
        refreshPassedFees({ chain, at }, { manager, hook }, known.poolsOf(hook, moving)),
      );
      const fresh = new Map((await Promise.all([own, ...passed])).flat().map((pool) => [pool.id, pool]));
      return pools.flatMap((pool) => (movesSilently(pool) ? (fresh.get(pool.id) ?? []) : [pool]));
    },
    movesSilently,
    apply,
    action,
    fillData,
  };
}

/** The hooks of a record, and which pools are theirs. */
function knownHooks({ hooks }: UniswapV4HooksRecord) {
  const known = byAddress(hooks);
  const dopplers = hooks.filter((hook) => hook.model === "doppler");
  const hookOf = (pool: Pool): KnownHook | undefined =>
    pool.curve === "concentrated" && pool.state.key !== undefined ? known.get(pool.state.key.hooks) : undefined;
  return {
    dopplers,
    code: [...hooks, ...dopplers.flatMap(({ passesTo }) => passesTo)].map(({ address, codeHash }) => ({
      address,
      hash: codeHash,
    })),
    names: ({ terms }: PoolRef): boolean => known.has(terms.hooks as Address),
    /** Hooks of a pool that tell all of a swap themselves. */
    ownHookOf(pool: Pool): OwnHook | undefined {
      const hook = hookOf(pool);
      return hook?.model === "doppler" ? undefined : hook;
    },
    poolsOf: (hook: DopplerHook, pools: readonly HookedPool[]) => pools.filter((pool) => hookOf(pool) === hook),
    isServed({ terms }: PoolRef): boolean {
      const hook = known.get(terms.hooks as Address);
      if (hook?.model === "doppler") return true;
      // Callbacks may give another fee only to pools whose key says so.
      return hook !== undefined && (Number(terms.fee) === DYNAMIC_FEE) === (hook.model === "liquidity-fee");
    },
    movesSilently(pool: Pool): boolean {
      const hook = hookOf(pool);
      if (hook?.model === "doppler") return mayBePassedElsewhere(pool);
      return hook !== undefined && mayMove(hook);
    },
  };
}

function isHooked(pool: Pool): pool is HookedPool {
  return pool.curve === "concentrated";
}

/** Fees in the hooks' hands may rise between a quote and its transaction. */
function withControllers(
  pools: readonly HookedPool[],
  hookOf: (pool: Pool) => OwnHook | undefined,
): readonly HookedPool[] {
  return pools.map(({ controllers: _, ...pool }) => {
    const hook = hookOf(pool);
    return hook !== undefined && mayMove(hook) ? { ...pool, controllers: [hook.address] } : pool;
  });
}
