import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { extensionOf, isToldOfSwaps, tickSpacingOf } from "../../pools/ekubo/config.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPools } from "../discovery/announced-pools.ts";
import type { EkuboAction } from "./action.ts";
import { ekuboErrors } from "./errors.ts";
import { changedPool, initializedPool, POOL_INITIALIZED, STATE_TOPICS, stateAfter } from "./events.ts";
import { keyOf, refOf } from "./pool-key.ts";
import type { EkuboRecord } from "./record.ts";
import { NEAR, syncPools, WHOLE } from "./sync.ts";

/** Finer ticks have bitmaps of more than 7,000 words, which are read whole. The finest of Uniswap V3's have 6,932. */
const MIN_TICK_SPACING = 100;

/**
 * Ekubo: pools of one Core, with native token too. Pools whose extension is called in a swap are left out, unless the record
 * says that it changes none.
 */
export function ekubo({ source, factory: core, passiveExtensions }: EkuboRecord): LiquiditySource {
  /** Why a pool is not served; undefined for one that is. */
  const refusal = ({ terms }: PoolRef) => {
    const config = BigInt(terms.config as string);
    if (isToldOfSwaps(config) && !passiveExtensions.includes(extensionOf(config))) return "UNKNOWN_HOOKS";
    return (tickSpacingOf(config) ?? MIN_TICK_SPACING) < MIN_TICK_SPACING ? "NOT_READABLE" : undefined;
  };
  const isSound = (ref: PoolRef) => {
    const key = keyOf(ref);
    const own = key && refOf(core, key);
    const isItsOwn = own?.id === ref.id && own.address === ref.address && own.tokens.join() === ref.tokens.join();
    return isItsOwn && refusal(ref) === undefined;
  };
  return {
    id: source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: ekuboErrors,
    ...announcedPools({ singleton: core, topic: POOL_INITIALIZED, poolIn: initializedPool, refusal }),
    isSound,
    stateTopics: STATE_TOPICS,
    anonymousFrom: [core],
    poolOf: changedPool,
    sync: (chain, refs, at) => syncPools({ source, core, reach: WHOLE }, chain, refs.filter(isSound), at),
    near: (chain, refs, at) => syncPools({ source, core, reach: NEAR }, chain, refs.filter(isSound), at),

    apply(pool, log) {
      if (pool.curve !== "ekubo" || log.address !== core || changedPool(log) !== pool.id) return "resync";
      const state = stateAfter(pool.state, log);
      return state === undefined ? "resync" : { ...pool, state };
    },

    action: (pool): EkuboAction => ({ action: "ekubo-pool", core, config: configOf(pool) }),
    fillData: (pool) => ({ core, poolId: pool.id, config: `0x${configOf(pool).toString(16).padStart(64, "0")}` }),
  };
}

function configOf({ id, curve, state }: Pool): bigint {
  if (curve !== "ekubo") throw new TypeError(`${id} is no pool of Ekubo`);
  return state.config;
}
