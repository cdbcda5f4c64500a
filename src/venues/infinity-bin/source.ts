import type { Address } from "../../domain/address.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";
import { announcedPools } from "../discovery/announced-pools.ts";
import { refusalOf } from "../infinity-cl/announced-pool.ts";
import { poolIdOf } from "../infinity-cl/pool-key.ts";
import { inSlices } from "../reading/slices.ts";
import { tokenOf } from "../uniswap-v4/pool-key.ts";
import type { InfinityBinAction } from "./action.ts";
import { infinityBinErrors } from "./errors.ts";
import { INITIALIZE, initializedPool, STATE_TOPICS, stateAfter } from "./events.ts";
import type { InfinityBinRecord } from "./record.ts";
import { isPaused, syncPools } from "./sync.ts";

/**
 * PancakeSwap Infinity: pools of bins of one BinPoolManager, with native token too. Token 0 is X. Pools whose hooks are called in
 * a swap are left out. A fee that hooks set has a log.
 */
export function infinityBin(venue: InfinityBinRecord): LiquiditySource {
  const { source, factory: manager } = venue;
  const isSound = (ref: PoolRef) => isItsOwn(manager, ref) && refusalOf(ref) === undefined;
  return {
    id: source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: infinityBinErrors,
    ...announcedPools({ singleton: manager, topic: INITIALIZE, poolIn: initializedPool, refusal: refusalOf }),
    isSound,
    stateTopics: STATE_TOPICS,
    poolOf: (log) => log.topics[1],

    async sync(chain, refs, at, reportUnserved = () => {}) {
      const sound = refs.filter(isSound);
      if (!(await isPaused(manager, chain, at))) {
        return inSlices(sound, (slice) => syncPools(venue, { chain, at, reportUnserved }, slice));
      }
      for (const { id } of sound) reportUnserved(id, "PAUSED");
      return [];
    },

    apply(pool, log) {
      if (pool.curve !== "bins" || log.address !== manager || log.topics[1] !== pool.id) return "resync";
      const state = stateAfter(pool.state, log);
      return state === undefined ? "resync" : { ...pool, state };
    },

    action: (pool): InfinityBinAction => ({ action: "infinity-bin-pool", manager, ...termsOf(pool) }),
    fillData(pool) {
      const { fee, hooks, binStep, registration } = termsOf(pool);
      const terms = { fee: String(fee), binStep: String(binStep), hooks, registration: String(registration) };
      return { poolManager: manager, poolId: pool.id, ...terms };
    },
  };
}

/** Whether a reference's terms are those that its id is the hash of. */
function isItsOwn(manager: Address, { id, address, tokens, terms }: PoolRef): boolean {
  const currencies = [terms.currency0 as Address, terms.currency1 as Address] as const;
  const key = {
    ...{ currencies, manager, hooks: terms.hooks as Address, fee: Number(terms.fee) },
    ...{ tickSpacing: Number(terms.binStep), registration: Number(terms.registration) },
  };
  return address === manager && id === poolIdOf(key) && tokens.join() === currencies.map(tokenOf).join();
}

function termsOf({ id, curve, state }: Pool): Omit<InfinityBinAction, "action" | "manager"> {
  if (curve !== "bins" || state.key?.registration === undefined) {
    throw new TypeError(`${id} is no pool of bins of PancakeSwap Infinity`);
  }
  const { fee, hooks, registration } = state.key;
  return { fee, hooks, registration, binStep: state.binStep };
}
