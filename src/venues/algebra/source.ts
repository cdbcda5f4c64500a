import { toEventSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { uintAt } from "../reading/words.ts";
import { UNISWAP } from "../uniswap-v3/dialect.ts";
import { followedBy, stateTopics, stateAfter as uniswapStateAfter } from "../uniswap-v3/events.ts";
import type { AlgebraPoolAction } from "./action.ts";
import { algebraErrors } from "./errors.ts";
import type { AlgebraRecord } from "./record.ts";
import { mayOverrideFee, syncPools } from "./sync.ts";

const POOL = toEventSelector("Pool(address,address,address)");
const FEE = toEventSelector("Fee(uint16)");
const PLUGIN_CONFIG = toEventSelector("PluginConfig(uint8)");

/**
 * Algebra Integral: one pool for two tokens, whose fee the owner or the plugin sets with an event. Pools whose plugin is
 * asked for a fee before a swap are left out for as long as that is so. The events of prices and positions are Uniswap's.
 */
export function algebra(venue: AlgebraRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "exact",
    errors: algebraErrors,
    ...announcedPairs({ factory: venue.factory, topic: POOL }),
    stateTopics: [...stateTopics(UNISWAP), FEE, PLUGIN_CONFIG],
    sync: (chain, refs, at, reportUnserved = () => {}) => syncPools(venue, { chain, at, reportUnserved }, refs),
    apply: followedBy(stateAfter),
    action: (pool): AlgebraPoolAction => ({ action: "algebra-pool", pool: addressOf(pool) }),
    fillData(pool) {
      const base = { poolAddress: addressOf(pool), factory: venue.factory };
      return pool.curve === "concentrated" ? { ...base, feePpm: String(pool.state.feePpm) } : base;
    },
  };
}

function stateAfter(state: ConcentratedState, log: Log): ConcentratedState | undefined {
  switch (log.topics[0]) {
    case FEE: {
      const fee = uintAt(log.data, 0, 16);
      return fee === undefined ? undefined : { ...state, feePpm: Number(fee) };
    }
    case PLUGIN_CONFIG: {
      const config = uintAt(log.data, 0, 8);
      return config === undefined || mayOverrideFee(config) ? undefined : state;
    }
    default:
      return uniswapStateAfter(UNISWAP, state, log);
  }
}
