import { numberToHex } from "viem";
import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPools } from "../discovery/announced-pools.ts";
import { readStorage } from "../reading/storage.ts";
import { NEAR } from "../uniswap-v3/heads.ts";
import { tokenOf } from "../uniswap-v4/pool-key.ts";
import { type Singleton, storageOf, syncPools } from "../uniswap-v4/sync.ts";
import type { InfinityClAction } from "./action.ts";
import { refusalOf } from "./announced-pool.ts";
import { infinityClErrors } from "./errors.ts";
import { INITIALIZE, initializedPool, STATE_TOPICS, stateAfter } from "./events.ts";
import { INFINITY_CL, type InfinityKey, poolIdOf } from "./pool-key.ts";
import type { InfinityClRecord } from "./record.ts";

/** Storage slot of the CLPoolManager's paused flag. */
const PAUSED_SLOT = 1n;
/** Storage slot of its mapping of pools. */
export const POOLS_SLOT = 4n;

/**
 * PancakeSwap Infinity: pools of concentrated liquidity of one CLPoolManager, with native token too. The curve is Uniswap
 * V4's. Pools whose hooks are called in a swap are left out. A fee that hooks set has a log.
 */
export function infinityCl(venue: InfinityClRecord): LiquiditySource {
  const manager = venue.factory;
  const singleton = clPoolManager(venue);
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: infinityClErrors,
    ...announcedPools({ singleton: manager, topic: INITIALIZE, poolIn: initializedPool, refusal: refusalOf }),
    isSound: singleton.isSound,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => log.topics[1],

    async sync(chain, refs, at, reportUnserved = () => {}) {
      if (!(await isPaused(manager, chain, at))) return syncPools(singleton, chain, refs, at);
      for (const { id } of refs) reportUnserved(id, "PAUSED");
      return [];
    },
    near: (chain, refs, at) => syncPools({ ...singleton, reach: NEAR }, chain, refs, at),

    apply(pool, log) {
      if (pool.curve !== "concentrated" || log.address !== manager || log.topics[1] !== pool.id) return "resync";
      const state = stateAfter(pool.state, log);
      return state === undefined ? "resync" : { ...pool, state };
    },

    action: (pool): InfinityClAction => ({ action: "infinity-cl-pool", manager, ...termsOf(pool) }),
    fillData(pool) {
      const { fee, hooks, tickSpacing, registration } = termsOf(pool);
      const terms = { fee: String(fee), tickSpacing: String(tickSpacing), hooks, registration: String(registration) };
      return { poolManager: manager, poolId: pool.id, ...terms };
    },
  };
}

function clPoolManager({ source, factory: manager }: InfinityClRecord): Singleton {
  return {
    ...{ source, manager, poolsSlot: POOLS_SLOT },
    isSound(ref) {
      const key = keyOf(ref);
      const tokens = key.currencies.map(tokenOf);
      const isItsOwn = ref.address === manager && ref.id === poolIdOf(key) && ref.tokens.join() === tokens.join();
      return isItsOwn && refusalOf(ref) === undefined;
    },
    termsOf(ref) {
      const { fee, hooks, tickSpacing, registration } = keyOf(ref);
      return { tickSpacing, family: INFINITY_CL, key: { fee, hooks, registration } };
    },
  };
}

/** A paused manager makes no swap. */
async function isPaused(manager: Address, chain: ChainReader, at: BlockRef): Promise<boolean> {
  const words = await readStorage(storageOf(manager, chain, at), [numberToHex(PAUSED_SLOT, { size: 32 })]);
  return words !== undefined && words[0] !== 0n;
}

/** The key that a reference's terms tell of. */
function keyOf({ address, terms }: PoolRef): InfinityKey {
  return {
    currencies: [terms.currency0 as Address, terms.currency1 as Address],
    ...{ hooks: terms.hooks as Address, manager: address, fee: Number(terms.fee) },
    ...{ tickSpacing: Number(terms.tickSpacing), registration: Number(terms.registration) },
  };
}

function termsOf({ id, curve, state }: Pool): Omit<InfinityKey, "currencies" | "manager"> {
  if (curve !== "concentrated" || state.key?.registration === undefined) {
    throw new TypeError(`${id} is no pool of PancakeSwap Infinity`);
  }
  const { fee, hooks, registration } = state.key;
  return { fee, hooks, registration, tickSpacing: state.tickSpacing };
}
