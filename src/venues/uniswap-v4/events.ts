import { toEventSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { positionChanged, swapped } from "../../pools/concentrated/changes.ts";
import { swapFeePpm } from "../../pools/concentrated/fee.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { addressAt, intAt, tickAt, uintAt } from "../reading/words.ts";
import { hasNoSwapHooks, poolIdOf, tokenOf } from "./pool-key.ts";

export const INITIALIZE = toEventSelector("Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)");
export const MODIFY_LIQUIDITY = toEventSelector("ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)");
const SWAP = toEventSelector("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)");
export const PROTOCOL_FEE_UPDATED = toEventSelector("ProtocolFeeUpdated(bytes32,uint24)");

/** The events that change what a swap gives. Donations do not; a fee that hooks set changes without an event. */
export const STATE_TOPICS: readonly Hex[] = [MODIFY_LIQUIDITY, SWAP, PROTOCOL_FEE_UPDATED];

/** The pool that an Initialize log announces; undefined when its hooks may change swaps, or it is none of the manager's. */
export function announcedPool(manager: Address, log: Log): PoolRef | undefined {
  const pool = initializedPool(manager, log);
  return pool !== undefined && hasNoSwapHooks(pool.terms.hooks as Address) ? pool : undefined;
}

/** Whether an Initialize log announces a pool whose hooks may change swaps. */
export function hasSwapHooks(manager: Address, log: Log): boolean {
  const pool = initializedPool(manager, log);
  return pool !== undefined && !hasNoSwapHooks(pool.terms.hooks as Address);
}

/** The pool that an Initialize log of the manager's announces, whatever its hooks do. */
export function initializedPool(manager: Address, log: Log): PoolRef | undefined {
  const [topic, id] = log.topics;
  if (log.address !== manager || topic !== INITIALIZE || id === undefined) return undefined;
  const currency0 = addressAt(log.topics[2] ?? "0x", 0);
  const currency1 = addressAt(log.topics[3] ?? "0x", 0);
  const fee = uintAt(log.data, 0, 24);
  const tickSpacing = tickAt(log.data, 1);
  const hooks = addressAt(log.data, 2);
  if (!currency0 || !currency1 || fee === undefined || tickSpacing === undefined || !hooks) return undefined;
  const key = { currencies: [currency0, currency1] as const, fee: Number(fee), tickSpacing, hooks };
  if (currency0 >= currency1 || tickSpacing <= 0 || poolIdOf(key) !== id) return undefined;
  const terms = { currency0, currency1, fee: String(fee), tickSpacing: String(tickSpacing), hooks };
  return { id, address: manager, tokens: [tokenOf(currency0), tokenOf(currency1)], terms };
}

/**
 * The state after one of the pool's logs; undefined when the log cannot follow from `state`. `swap`: the topic of swaps, whose
 * first six words are V4's.
 */
export function stateAfter(
  state: ConcentratedState,
  { topics, data }: Log,
  swap: Hex = SWAP,
): ConcentratedState | undefined {
  switch (topics[0]) {
    case swap:
      return afterSwap(state, data);
    case MODIFY_LIQUIDITY:
      return afterLiquidity(state, data);
    case PROTOCOL_FEE_UPDATED:
      return afterProtocolFee(state, data);
    default:
      return state;
  }
}

/** After a Swap: two amounts, the price, liquidity, tick and fee. */
function afterSwap(state: ConcentratedState, data: Hex): ConcentratedState | undefined {
  const sqrtPriceX96 = uintAt(data, 2, 160);
  const liquidity = uintAt(data, 3, 128);
  const tick = tickAt(data, 4);
  const amount0 = intAt(data, 0, 128);
  const fee = uintAt(data, 5, 24);
  if (sqrtPriceX96 === undefined || liquidity === undefined || tick === undefined) return undefined;
  if (amount0 === undefined || fee === undefined) return undefined;
  const next = swapped(state, sqrtPriceX96, liquidity, tick);
  // Below zero is what the swapper pays; a swap over no liquidity moves the price alone.
  const zeroForOne = amount0 === 0n ? sqrtPriceX96 < state.sqrtPriceX96 : amount0 < 0n;
  // The fee that hooks have set may be another one by the end of the block: it is read then.
  const isStatic = state.key?.fee === state.feePpm;
  return isStatic && Number(fee) !== swapFeePpm(state, zeroForOne) ? undefined : next;
}

/** After a ModifyLiquidity: two ticks, and by how much. */
function afterLiquidity(state: ConcentratedState, data: Hex): ConcentratedState | undefined {
  const lower = tickAt(data, 0);
  const upper = tickAt(data, 1);
  const delta = intAt(data, 2, 128);
  if (lower === undefined || upper === undefined || delta === undefined) return undefined;
  return positionChanged(state, lower, upper, delta);
}

/** After a ProtocolFeeUpdated: the fees of both directions. */
function afterProtocolFee(state: ConcentratedState, data: Hex): ConcentratedState | undefined {
  const fees = uintAt(data, 0, 24);
  if (fees === undefined) return undefined;
  return withinWhole({ ...state, protocolFeesPpm: [Number(fees) & 0xfff, Number(fees) >> 12] });
}

/** The state, where its fees leave something of what goes in. */
export function withinWhole(state: ConcentratedState): ConcentratedState | undefined {
  return swapFeePpm(state, true) < 1_000_000 && swapFeePpm(state, false) < 1_000_000 ? state : undefined;
}
