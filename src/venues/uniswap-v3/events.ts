import { toEventSelector } from "viem";
import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { initialized, positionChanged, swapped } from "../../pools/concentrated/changes.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { addressAt, tickAt, uintAt } from "../reading/words.ts";
import type { Dialect } from "./dialect.ts";

const INITIALIZE = toEventSelector("Initialize(uint160,int24)");
const MINT = toEventSelector("Mint(address,address,int24,int24,uint128,uint256,uint256)");
const BURN = toEventSelector("Burn(address,int24,int24,uint128,uint256,uint256)");

/**
 * The events that change what a swap gives. Flash and CollectProtocol move balances and fees only, and SetFeeProtocol
 * divides a fee that the swapper pays either way.
 */
export function stateTopics({ swapTopic, family, feeTopic }: Dialect): readonly Hex[] {
  const further = [family?.topic, feeTopic].filter((topic) => topic !== undefined);
  return [INITIALIZE, MINT, BURN, swapTopic, ...further];
}

/** The state after one of the pool's own logs; undefined when the log cannot follow from `state`. */
export function stateAfter(dialect: Dialect, state: ConcentratedState, log: Log): ConcentratedState | undefined {
  if (dialect.family !== undefined && log.topics[0] === dialect.family.topic) {
    const family = addressAt(log.data, 0) === undefined ? undefined : dialect.family.familyBy(log.data);
    return family && { ...state, family };
  }
  switch (log.topics[0]) {
    case INITIALIZE: {
      const sqrtPriceX96 = uintAt(log.data, 0, 160);
      const tick = tickAt(log.data, 1);
      return sqrtPriceX96 === undefined || tick === undefined ? undefined : initialized(state, sqrtPriceX96, tick);
    }
    case dialect.swapTopic: {
      const sqrtPriceX96 = uintAt(log.data, 2, 160);
      const liquidity = uintAt(log.data, 3, 128);
      const tick = tickAt(log.data, 4);
      if (sqrtPriceX96 === undefined || liquidity === undefined || tick === undefined) return undefined;
      return swapped(state, sqrtPriceX96, liquidity, tick);
    }
    case dialect.feeTopic: {
      const [before, after] = [uintAt(log.data, 0, 24), uintAt(log.data, 1, 24)];
      if (before === undefined || after === undefined || after >= 1_000_000n) return undefined;
      return { ...state, feePpm: Number(after) };
    }
    case MINT:
      return positionAfter(state, log, uintAt(log.data, 1, 128));
    case BURN: {
      const amount = uintAt(log.data, 0, 128);
      return positionAfter(state, log, amount === undefined ? undefined : -amount);
    }
    default:
      return state;
  }
}

/** Follows the logs of a pool that is a contract of its own: by what each makes of the state. */
export function followedBy(
  after: (state: ConcentratedState, log: Log) => ConcentratedState | undefined,
): LiquiditySource["apply"] {
  return (pool, log) => {
    if (pool.curve !== "concentrated" || log.address !== pool.id) return "resync";
    const state = after(pool.state, log);
    return state === undefined ? "resync" : { ...pool, state };
  };
}

/** The state after so much more liquidity of a position, whose edges are topics 2 and 3 of Mint's and Burn's logs. */
export function positionAfter(
  state: ConcentratedState,
  log: Log,
  delta: bigint | undefined,
): ConcentratedState | undefined {
  const lower = tickAt(log.topics[2] ?? "0x", 0);
  const upper = tickAt(log.topics[3] ?? "0x", 0);
  if (delta === undefined || lower === undefined || upper === undefined) return undefined;
  return positionChanged(state, lower, upper, delta);
}
