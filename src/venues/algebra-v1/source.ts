import { toEventSelector } from "viem";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import type { AlgebraPoolAction } from "../algebra/action.ts";
import { feesSet } from "../algebra/swap-fees.ts";
import { announcedPairs } from "../discovery/announced-pairs.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { uintAt } from "../reading/words.ts";
import { UNISWAP } from "../uniswap-v3/dialect.ts";
import { uniswapV3Errors } from "../uniswap-v3/errors.ts";
import { followedBy, stateTopics, stateAfter as uniswapStateAfter } from "../uniswap-v3/events.ts";
import type { AlgebraV1Record } from "./record.ts";
import { syncPools, withFeesOfBlock } from "./sync.ts";

const POOL = toEventSelector("Pool(address,address,address)");
const FEE = toEventSelector("Fee(uint16)");
const FEES = toEventSelector("Fee(uint16,uint16)");

/**
 * Algebra's first version (QuickSwap V3) and its directional one (Camelot V3): one pool for two tokens. The first swap or change
 * of active liquidity of a block works the fee out of the prices and volumes of the last day, so that it is asked for with
 * every block. The community's part of the fee and farms change nothing of a swap's amounts.
 */
export function algebraV1(venue: AlgebraV1Record): LiquiditySource {
  return {
    id: venue.source,
    kind: "amm",
    exactOut: true,
    assurance: "modelled",
    errors: uniswapV3Errors,
    ...announcedPairs({ factory: venue.factory, topic: POOL }),
    stateTopics: [...stateTopics(UNISWAP), FEE, FEES],
    sync: (chain, refs, at) => syncPools(venue, { chain, at }, refs),
    refresh: (chain, pools, at) => withFeesOfBlock(venue, { chain, at }, pools),
    apply: followedBy(stateAfter),
    action: (pool): AlgebraPoolAction => ({ action: "algebra-pool", pool: addressOf(pool) }),
    fillData(pool) {
      const base = { poolAddress: addressOf(pool), factory: venue.factory };
      if (pool.curve !== "concentrated") return base;
      const { feePpm, feeOfToken1Ppm = feePpm } = pool.state;
      return { ...base, feePpm: String(feePpm), feeOfToken1Ppm: String(feeOfToken1Ppm) };
    },
  };
}

function stateAfter(state: ConcentratedState, log: Log): ConcentratedState | undefined {
  const [topic] = log.topics;
  if (topic !== FEE && topic !== FEES) return uniswapStateAfter(UNISWAP, state, log);
  const [fee0, fee1] = [uintAt(log.data, 0, 16), uintAt(log.data, topic === FEE ? 0 : 1, 16)];
  return fee0 === undefined || fee1 === undefined ? undefined : feesSet(state, Number(fee0), Number(fee1));
}
