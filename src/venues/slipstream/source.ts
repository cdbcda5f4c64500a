import { toEventSelector, toFunctionSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { tickAt, uintAt } from "../reading/words.ts";
import type { V3PoolAction } from "../uniswap-v3/action.ts";
import { UNISWAP } from "../uniswap-v3/dialect.ts";
import { uniswapV3Errors } from "../uniswap-v3/errors.ts";
import { followedBy, stateAfter, stateTopics } from "../uniswap-v3/events.ts";
import { withFees } from "../uniswap-v3/fees.ts";
import { NEAR } from "../uniswap-v3/heads.ts";
import { fillDataOf } from "../uniswap-v3/source.ts";
import { type FactoryKind, syncPools } from "../uniswap-v3/sync.ts";
import { feeSecondsOf, withFeeSeconds } from "./fee-module.ts";
import type { SlipstreamRecord } from "./record.ts";

const POOL_CREATED = toEventSelector("PoolCreated(address,address,int24,address)");
const OBSERVATIONS_INCREASED = toEventSelector("IncreaseObservationCardinalityNext(uint16,uint16)");
const FEES = [toFunctionSelector("fee()")];
const KIND: FactoryKind = {
  getPool: toFunctionSelector("getPool(address,address,int24)"),
  term: "tickSpacing",
  family: {
    ask: toFunctionSelector("stakedLiquidity()"),
    familyBy: (answer) => (uintAt(answer ?? "0x", 0) === undefined ? undefined : "slipstream"),
  },
};

/**
 * Slipstream (Velodrome, Aerodrome): Uniswap V3's curve in pools of one factory by tick spacing. A pool asks the factory's
 * module for its fee in every swap; that moves without a log and is read again for every block, and whether the module works it
 * out of past prices. What is staked, and the fee on what is not, divide a swap's fee and do not change it.
 */
export function slipstream(venue: SlipstreamRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: uniswapV3Errors,
    ...announcedPairs({ factory: venue.factory, topic: POOL_CREATED, termsOf }),
    stateTopics: [...stateTopics(UNISWAP), OBSERVATIONS_INCREASED],
    async sync(chain, refs, at) {
      const seconds = await feeSecondsOf(venue.factory, chain, at);
      return (await syncPools({ source: venue.source, address: venue.factory, kind: KIND }, chain, refs, at)).map(
        (pool) => withFeeSeconds(pool, seconds),
      );
    },
    near: (chain, refs, at) =>
      syncPools({ source: venue.source, address: venue.factory, kind: KIND, reach: NEAR }, chain, refs, at),
    async refresh(chain, pools, at) {
      const seconds = await feeSecondsOf(venue.factory, chain, at);
      const read = await inSlices(pools, (slice) => withFees(chain, slice, at, FEES));
      return read.map((pool) => withFeeSeconds(pool, seconds));
    },
    apply: followedBy((state, log) =>
      log.topics[0] === OBSERVATIONS_INCREASED ? withObservations(state, log) : stateAfter(UNISWAP, state, log),
    ),
    action: (pool): V3PoolAction => ({ action: "v3-pool", pool: addressOf(pool) }),
    fillData: (pool) => fillDataOf(pool, venue.factory),
  };
}

/** Room for more past prices, which pools that are not Slipstream's own make no use of. */
function withObservations(state: ConcentratedState, log: Log): ConcentratedState | undefined {
  const observations = uintAt(log.data, 1, 16);
  if (observations === undefined) return undefined;
  return state.family === undefined ? state : { ...state, observations: Number(observations) };
}

function termsOf({ topics }: Log): PoolRef["terms"] | undefined {
  const tickSpacing = tickAt(topics[3] ?? "0x", 0);
  return tickSpacing === undefined || tickSpacing <= 0 ? undefined : { tickSpacing: String(tickSpacing) };
}
