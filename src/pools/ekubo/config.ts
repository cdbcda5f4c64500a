import { type Address, toAddress } from "../../domain/address.ts";
import { MAX_TICK, MIN_TICK } from "./ratio.ts";

/**
 * The last word of a pool's key in Ekubo's Core: 20 bytes of the extension's address, 8 bytes of the fee as a part of 2^64, and
 * 4 bytes of the kind. Source: EkuboProtocol/evm-contracts v3.2.0, types/poolConfig.sol.
 */

/** Two ticks that all positions of a pool lie between. */
export interface TickRange {
  readonly lower: number;
  readonly upper: number;
}

const SWAP_CALLS = 0x60n << 248n;
/** Marks a pool whose positions lie anywhere: the other 31 bits are its tick spacing. */
const CONCENTRATED = 1n << 31n;
const MAX_TICK_SPACING = 698_605;
const MAX_AMPLIFICATION = 26;
/** Ticks between two that a range can have its middle at. */
const CENTER_STEP = 16;

export function extensionOf(config: bigint): Address {
  return toAddress(`0x${(config >> 96n).toString(16).padStart(40, "0")}`);
}

/**
 * Whether the pool's extension is called in its swaps, before or after: bits of the first byte of its address
 * (types/callPoints.sol).
 */
export function isToldOfSwaps(config: bigint): boolean {
  return (config & SWAP_CALLS) !== 0n;
}

/** Fee of what goes in as a part of 2^64. */
export function feeOf(config: bigint): bigint {
  return BigInt.asUintN(64, config >> 32n);
}

/** Ticks from one that positions may end at to the next; undefined for a pool with one range. */
export function tickSpacingOf(config: bigint): number | undefined {
  return (config & CONCENTRATED) === 0n ? undefined : Number(config & (CONCENTRATED - 1n));
}

/** The range of all positions of a pool without a tick spacing. */
export function rangeOf(config: bigint): TickRange {
  const center = Number(BigInt.asIntN(24, config)) * CENTER_STEP;
  const width = MAX_TICK >> amplificationOf(config);
  return { lower: Math.max(MIN_TICK, center - width), upper: Math.min(MAX_TICK, center + width) };
}

/** Whether Core creates a pool of such a kind. */
export function isPossibleConfig(config: bigint): boolean {
  const tickSpacing = tickSpacingOf(config);
  if (tickSpacing !== undefined) return tickSpacing > 0 && tickSpacing <= MAX_TICK_SPACING;
  const center = Number(BigInt.asIntN(24, config)) * CENTER_STEP;
  return amplificationOf(config) <= MAX_AMPLIFICATION && Math.abs(center) <= MAX_TICK;
}

function amplificationOf(config: bigint): number {
  return Number((config >> 24n) & 0x7fn);
}
