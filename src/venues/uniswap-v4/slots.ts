import { concat, type Hex, numberToHex, toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { WordRange } from "../reading/word-scan.ts";
import { mappingSlot, uintAt, wordOf } from "../reading/words.ts";

/** Storage layout of pools in the PoolManager (StateLibrary.sol), and reading of many slots by one call. */

const EXTSLOAD = toFunctionSelector("extsload(bytes32[])");
const EXTSLOAD_ONE = toFunctionSelector("extsload(bytes32)");
/** Storage slot of the PoolManager's mapping of pools. */
export const POOLS_SLOT = 6n;
const LIQUIDITY_OFFSET = 3n;
const TICKS_OFFSET = 4n;
const BITMAP_OFFSET = 5n;

/** Slots of one pool. */
export interface PoolSlots {
  /** Price, tick, protocol's fees, own fee. */
  readonly slot0: Hex;
  readonly liquidity: Hex;
  tick(index: number): Hex;
  bitmap(word: number): Hex;
  /** The mapping of its bitmap's words. */
  readonly bitmaps: Hex;
}

/** `poolsSlot`: where the contract has the mapping of its pools. */
export function slotsOf(poolId: string, poolsSlot: bigint): PoolSlots {
  const state = BigInt(mappingSlot(BigInt(poolId), poolsSlot));
  return {
    slot0: numberToHex(state, { size: 32 }),
    liquidity: numberToHex(state + LIQUIDITY_OFFSET, { size: 32 }),
    tick: (index) => mappingSlot(BigInt(index), state + TICKS_OFFSET),
    bitmap: (word) => mappingSlot(BigInt(word), state + BITMAP_OFFSET),
    bitmaps: numberToHex(state + BITMAP_OFFSET, { size: 32 }),
  };
}

/** The part of a scan that asks for the entries of a mapping. */
export function scanOf(manager: Address, mapping: Hex): Pick<WordRange, "to" | "selector" | "mapping"> {
  return { to: manager, selector: EXTSLOAD_ONE, mapping };
}

/** A call that reads slots. */
export function readSlots(manager: Address, slots: readonly Hex[]): Call {
  const head = `${EXTSLOAD}${wordOf(32)}${wordOf(slots.length)}` as Hex;
  return { to: manager, data: concat([head, ...slots]) };
}

/** The words that such a call answered; undefined unless there are exactly `count`. */
export function wordsOf(answer: Hex | undefined, count: number): readonly bigint[] | undefined {
  if (answer === undefined || answer.length !== 2 + 64 * (count + 2) || uintAt(answer, 1) !== BigInt(count))
    return undefined;
  return Array.from({ length: count }, (_, index) => uintAt(answer, 2 + index) as bigint);
}

/** Fields of a pool's slot 0. */
export interface Slot0 {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  /** Fees for token 0 in and for token 1 in; parts per million. */
  readonly protocolFeesPpm: readonly [number, number];
  readonly feePpm: number;
}

export function slot0Of(word: bigint): Slot0 {
  const protocolFee = Number((word >> 184n) & 0xffffffn);
  return {
    sqrtPriceX96: BigInt.asUintN(160, word),
    tick: Number(BigInt.asIntN(24, word >> 160n)),
    protocolFeesPpm: [protocolFee & 0xfff, protocolFee >> 12],
    feePpm: Number((word >> 208n) & 0xffffffn),
  };
}
