import { toEventSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import { observedAt } from "../../pools/solidly/observation.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { uintAt } from "../reading/words.ts";
import type { SolidlyAction } from "./action.ts";
import { solidlyErrors } from "./errors.ts";
import type { SolidlyRecord } from "./record.ts";
import { readTerms, syncPools } from "./sync.ts";

const POOL_CREATED = toEventSelector("PoolCreated(address,address,bool,address,uint256)");
const SYNC = toEventSelector("Sync(uint256,uint256)");

/**
 * Pools of Solidly's kinds with Velodrome V2's interface (Velodrome, Aerodrome …): volatile and stable ones of one
 * factory. Fees and the factory's pause move without a log of the pool: both are read again for every block.
 */
export function solidly(venue: SolidlyRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: solidlyErrors,
    ...announcedPairs({ factory: venue.factory, topic: POOL_CREATED, termsOf }),
    stateTopics: [SYNC],
    sync: (chain, refs, at) => inSlices(refs, (slice) => syncPools(venue, chain, slice, at)),
    refresh: (chain, pools, at) => inSlices(pools, (slice) => readTerms(venue, chain, slice, at)),

    apply(pool, log, time) {
      if (pool.curve !== "solidly" || log.address !== pool.id) return "resync";
      if (log.topics[0] !== SYNC) return pool;
      const first = uintAt(log.data, 0, 128);
      const second = uintAt(log.data, 1, 128);
      if (first === undefined || second === undefined) return "resync";
      return { ...pool, state: { ...observedAt(pool.state, time), reserves: [first, second] } };
    },

    action(pool): SolidlyAction {
      const feePpm = pool.curve === "solidly" ? Number(pool.state.feeBps) * 100 : 0;
      return { action: "solidly-pool", pool: addressOf(pool), feePpm };
    },
    fillData(pool) {
      const base = { poolAddress: addressOf(pool), factory: venue.factory };
      if (pool.curve !== "solidly") return base;
      return { ...base, stable: String(pool.state.stable), feeBps: String(pool.state.feeBps) };
    },
  };
}

function termsOf({ topics }: Log): PoolRef["terms"] | undefined {
  const stable = uintAt(topics[3] ?? "0x", 0, 1);
  return stable === undefined ? undefined : { stable: String(stable === 1n) };
}
