import { toEventSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { type EkuboHead, positionChanged, swapped } from "../../pools/ekubo/changes.ts";
import { isPossibleConfig } from "../../pools/ekubo/config.ts";
import { ratioOf } from "../../pools/ekubo/ratio.ts";
import type { EkuboState } from "../../pools/ekubo/state.ts";
import { addressAt, intAt, uintAt } from "../reading/words.ts";
import { poolIdOf, refOf } from "./pool-key.ts";

export const POOL_INITIALIZED = toEventSelector("PoolInitialized(bytes32,(address,address,bytes32),int32,uint96)");
const POSITION_UPDATED = toEventSelector("PositionUpdated(address,bytes32,bytes32,int128,bytes32,bytes32)");

/** The events that change what a swap gives, besides swaps themselves, whose logs have no topic. */
export const STATE_TOPICS: readonly Hex[] = [POSITION_UPDATED];

/** Bytes of a swap's log: who swapped, the pool, what both tokens come to, the pool's state. */
const [LOCKER, ID, UPDATE, STATE] = [20, 32, 32, 32] as const;

/** The pool that a log of Core's announces, whatever its extension does. */
export function initializedPool(core: Address, { address, topics, data }: Log): PoolRef | undefined {
  if (address !== core || topics[0] !== POOL_INITIALIZED) return undefined;
  const id = uintAt(data, 0);
  const [token0, token1] = [addressAt(data, 1), addressAt(data, 2)];
  const config = uintAt(data, 3);
  if (id === undefined || token0 === undefined || token1 === undefined || config === undefined) return undefined;
  const key = { tokens: [token0, token1] as const, config };
  if (token0 >= token1 || !isPossibleConfig(config) || BigInt(poolIdOf(key)) !== id) return undefined;
  return refOf(core, key);
}

/** The pool that a log which changes state is about. */
export function changedPool({ topics, data }: Log): string | undefined {
  if (topics.length === 0) return isSwap(data) ? bytesAt(data, LOCKER, ID) : undefined;
  const id = topics[0] === POSITION_UPDATED ? uintAt(data, 1) : undefined;
  return id === undefined ? undefined : `0x${id.toString(16).padStart(64, "0")}`;
}

/** The state after one of the pool's logs; undefined when the log cannot follow from `state`. */
export function stateAfter(state: EkuboState, { topics, data }: Log): EkuboState | undefined {
  if (topics.length === 0) {
    return isSwap(data) ? swapped(state, headOf(BigInt(bytesAt(data, LOCKER + ID + UPDATE, STATE)))) : undefined;
  }
  if (topics[0] !== POSITION_UPDATED) return state;
  const [position, delta, head] = [uintAt(data, 2), intAt(data, 3, 128), uintAt(data, 5)];
  if (position === undefined || delta === undefined || head === undefined) return undefined;
  const range = { lower: tickIn(position >> 32n), upper: tickIn(position) };
  return positionChanged(state, range, delta, headOf(head));
}

/** Price, tick and liquidity of a pool in the word that Core stores. */
export function headOf(word: bigint): EkuboHead {
  return { sqrtRatio: ratioOf(word >> 160n), tick: tickIn(word >> 128n), liquidity: BigInt.asUintN(128, word) };
}

/** The tick in the lowest 32 bits. */
function tickIn(word: bigint): number {
  return Number(BigInt.asIntN(32, word));
}

function isSwap(data: Hex): boolean {
  return data.length === 2 + 2 * (LOCKER + ID + UPDATE + STATE);
}

function bytesAt(data: Hex, from: number, count: number): Hex {
  return `0x${data.slice(2 + 2 * from, 2 + 2 * (from + count))}`;
}
