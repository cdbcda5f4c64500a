import { toEventSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { uintAt } from "../reading/words.ts";
import { UNISWAP } from "../uniswap-v3/dialect.ts";
import { followedBy, positionAfter, stateTopics, stateAfter as uniswapStateAfter } from "../uniswap-v3/events.ts";
import type { AlgebraPoolAction } from "./action.ts";
import { algebraErrors } from "./errors.ts";
import { isPlugged, withPluginFees } from "./plugin-fees.ts";
import type { AlgebraRecord } from "./record.ts";
import { mayOverrideFee, syncPools } from "./sync.ts";

const POOL = toEventSelector("Pool(address,address,address)");
const CUSTOM_POOL = toEventSelector("CustomPool(address,address,address,address)");
const FEE = toEventSelector("Fee(uint16)");
const PLUGIN = toEventSelector("Plugin(address)");
const PLUGIN_CONFIG = toEventSelector("PluginConfig(uint8)");
/** Swap and Burn of version 1.2.2, which tell the plugin's fees behind the words of earlier versions. */
const SWAP_WITH_FEES = toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)");
const BURN_WITH_FEE = toEventSelector("Burn(address,int24,int24,uint128,uint256,uint256,uint24)");

/**
 * Algebra Integral: one pool for two tokens, and one for each known deployer, whose fee the owner or the plugin sets. A plugin
 * that is asked for a fee before a swap has to be one with the adaptive fee, which is asked for with every block; other pools
 * are left out for as long as that is so. The events of prices and positions are Uniswap's.
 */
export function algebra(venue: AlgebraRecord): LiquiditySource {
  const { factory, deployers = [] } = venue;
  const base = announcedPairs({ factory, topic: POOL });
  const custom = announcedPairs({ factory, topic: CUSTOM_POOL, tokenTopic: 2 });
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: deployers.length === 0 ? "exact" : "modelled",
    errors: algebraErrors,
    // Versions announce a custom pool as both, or as that alone.
    creation: { addresses: [factory], topics: [POOL, CUSTOM_POOL] },
    created: (log) => base.created(log) ?? custom.created(log),
    stateTopics: [...stateTopics(UNISWAP), FEE, PLUGIN_CONFIG, PLUGIN, SWAP_WITH_FEES, BURN_WITH_FEE],
    sync: (chain, refs, at, reportUnserved = () => {}) => syncPools(venue, { chain, at, reportUnserved }, refs),
    refresh: (chain, pools, at) => inSlices(pools, (slice) => withPluginFees(venue, { chain, at }, slice)),
    movesSilently: isPlugged,
    apply: followedBy(stateAfter),
    action: (pool): AlgebraPoolAction => ({ action: "algebra-pool", pool: addressOf(pool) }),
    fillData(pool) {
      const base = { poolAddress: addressOf(pool), factory };
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
    case PLUGIN:
      return undefined;
    case PLUGIN_CONFIG: {
      const config = uintAt(log.data, 0, 8);
      const isAsBefore = config !== undefined && mayOverrideFee(config) === (state.deployer !== undefined);
      return isAsBefore ? state : undefined;
    }
    case SWAP_WITH_FEES:
      return uniswapStateAfter(UNISWAP, state, { ...log, topics: [UNISWAP.swapTopic, ...log.topics.slice(1)] });
    case BURN_WITH_FEE: {
      const amount = uintAt(log.data, 0, 128);
      return positionAfter(state, log, amount === undefined ? undefined : -amount);
    }
    default:
      return uniswapStateAfter(UNISWAP, state, log);
  }
}
