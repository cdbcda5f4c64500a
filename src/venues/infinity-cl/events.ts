import { toEventSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { uintAt } from "../reading/words.ts";
import {
  MODIFY_LIQUIDITY,
  PROTOCOL_FEE_UPDATED,
  stateAfter as stateAfterV4,
  withinWhole,
} from "../uniswap-v4/events.ts";
import { announcedPool } from "./announced-pool.ts";
import { parametersIn } from "./pool-key.ts";

export const INITIALIZE = toEventSelector("Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)");
const SWAP = toEventSelector("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)");
export const DYNAMIC_FEE_UPDATED = toEventSelector("DynamicLPFeeUpdated(bytes32,uint24)");

/** The events that change what a swap gives. Donations do not. */
export const STATE_TOPICS: readonly Hex[] = [MODIFY_LIQUIDITY, SWAP, PROTOCOL_FEE_UPDATED, DYNAMIC_FEE_UPDATED];

/** The pool that an Initialize log of the manager's announces, whatever its hooks do. */
export function initializedPool(manager: Address, log: Log): PoolRef | undefined {
  return announcedPool({ topic: INITIALIZE, step: "tickSpacing", parametersIn }, manager, log);
}

/** The state after one of the pool's logs; undefined when the log cannot follow from `state`. */
export function stateAfter(state: ConcentratedState, log: Log): ConcentratedState | undefined {
  if (log.topics[0] !== DYNAMIC_FEE_UPDATED) return stateAfterV4(state, log, SWAP);
  const fee = uintAt(log.data, 0, 24);
  return fee === undefined ? undefined : withinWhole({ ...state, feePpm: Number(fee) });
}
