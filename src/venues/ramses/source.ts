import { toEventSelector, toFunctionSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { inSlices } from "../reading/slices.ts";
import { tickAt, uintAt } from "../reading/words.ts";
import type { V3PoolAction } from "../uniswap-v3/action.ts";
import { type Dialect, UNISWAP } from "../uniswap-v3/dialect.ts";
import { uniswapV3Errors } from "../uniswap-v3/errors.ts";
import { followedBy, positionAfter, stateAfter, stateTopics } from "../uniswap-v3/events.ts";
import { withFees } from "../uniswap-v3/fees.ts";
import { NEAR } from "../uniswap-v3/heads.ts";
import { fillDataOf } from "../uniswap-v3/source.ts";
import { type FactoryKind, syncPools } from "../uniswap-v3/sync.ts";
import type { RamsesRecord } from "./record.ts";

const POOL_CREATED = toEventSelector("PoolCreated(address,address,uint24,int24,address)");
/** Pools since Pharaoh's tell the position's number as well, before the amount (IRamsesV3PoolEvents.sol). */
const MINT_WITH_INDEX = toEventSelector("Mint(address,address,uint256,int24,int24,uint128,uint256,uint256)");
const AMOUNT_WORD = 2;
/** Uniswap's but for the fee's changes (ProtocolActions.setFee). */
const RAMSES: Dialect = { ...UNISWAP, feeTopic: toEventSelector("FeeAdjustment(uint24,uint24)") };
/** Fee getters, the better one first: in a pool with both, `fee()` is the initial fee. */
const FEES = ["currentFee()", "fee()"].map((signature) => toFunctionSelector(signature));
const KIND: FactoryKind = { getPool: toFunctionSelector("getPool(address,address,int24)"), term: "tickSpacing" };

/**
 * Ramses V3 (Pharaoh, Shadow): Uniswap V3's curve in pools of one factory by tick spacing. The factory sets a pool's fee at
 * any time, which the pool announces; all the same it is read again for every block. The weekly periods that a swap begins
 * and the protocol's part of the fee change nothing of its amounts.
 */
export function ramses(venue: RamsesRecord): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: uniswapV3Errors,
    ...announcedPairs({ factory: venue.factory, topic: POOL_CREATED, poolWord: 1, termsOf }),
    stateTopics: [...stateTopics(RAMSES), MINT_WITH_INDEX],
    async sync(chain, refs, at) {
      const pools = await syncPools({ source: venue.source, address: venue.factory, kind: KIND }, chain, refs, at);
      return withFees(chain, pools, at, FEES);
    },
    near: (chain, refs, at) =>
      syncPools({ source: venue.source, address: venue.factory, kind: KIND, reach: NEAR }, chain, refs, at),
    refresh: (chain, pools, at) => inSlices(pools, (slice) => withFees(chain, slice, at, FEES)),
    apply: followedBy(afterLog),
    action: (pool): V3PoolAction => ({ action: "v3-pool", pool: addressOf(pool) }),
    fillData: (pool) => fillDataOf(pool, venue.factory),
  };
}

function afterLog(state: ConcentratedState, log: Log): ConcentratedState | undefined {
  switch (log.topics[0]) {
    case MINT_WITH_INDEX:
      return positionAfter(state, log, uintAt(log.data, AMOUNT_WORD, 128));
    default:
      return stateAfter(RAMSES, state, log);
  }
}

/** The fee that is announced is the first one only; the factory knows the pool by its tick spacing. */
function termsOf({ data }: Log): PoolRef["terms"] | undefined {
  const tickSpacing = tickAt(data, 0);
  return tickSpacing === undefined || tickSpacing <= 0 ? undefined : { tickSpacing: String(tickSpacing) };
}
