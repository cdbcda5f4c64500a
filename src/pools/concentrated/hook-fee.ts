import { currentFee, leavesSomething } from "./falling-fee.ts";
import type { ConcentratedState, SwapHook } from "./state.ts";

const PPM = 1_000_000n;

/** Fees of hooks in one swap: parts of the amount that the swapper named, and of the other one. */
export interface HookFee {
  readonly named: readonly number[];
  readonly other: readonly number[];
  /** Whole that they are parts of. */
  readonly whole: bigint;
}

const NO_PARTS: readonly number[] = [];
const NO_FEE: HookFee = { named: NO_PARTS, other: NO_PARTS, whole: PPM };

/**
 * Fees of the pool's hooks in a swap of this direction and kind, `time` in unix seconds. A part of what is named is taken in `beforeSwap`: an exact-in
 * swaps less, an exact-out more. A part of the other amount is taken in `afterSwap` (Hooks.sol of Uniswap V4).
 */
export function hookFeeOf({ hook }: Hooked, zeroForOne: boolean, exactIn: boolean, time: bigint): HookFee {
  if (hook === undefined) return NO_FEE;
  const { falling } = hook;
  if (falling !== undefined)
    return { named: NO_PARTS, other: [currentFee(falling, time)], whole: BigInt(falling.whole) };
  const parts = zeroForOne ? hook.token0InPpm : hook.token1InPpm;
  const isNamed = hook.charges !== "unspecified" && (hook.charges === "token0") === (zeroForOne === exactIn);
  return isNamed ? { named: parts, other: NO_PARTS, whole: PPM } : { named: NO_PARTS, other: parts, whole: PPM };
}

type Hooked = Pick<ConcentratedState, "hook">;

/** The fee on an amount: each part is rounded down by itself. */
export function feeOn(amount: bigint, parts: readonly number[], whole = PPM): bigint {
  return parts.reduce((sum, part) => sum + (amount * BigInt(part)) / whole, 0n);
}

/** The parts together, of one. */
export function shareOf(parts: readonly number[], whole = PPM): number {
  return parts.reduce((sum, part) => sum + part, 0) / Number(whole);
}

/** Whether these hooks leave something of every swap, in the end. */
export function isPayable({ token0InPpm, token1InPpm, falling }: SwapHook): boolean {
  const isFixed = [token0InPpm, token1InPpm].every((parts) => parts.every((part) => part >= 0) && shareOf(parts) < 1);
  return isFixed && (falling === undefined || leavesSomething(falling));
}

/** The largest amount that is no more than `net` once its fee is taken off. */
export function mostBefore(net: bigint, parts: readonly number[], whole = PPM): bigint {
  let amount = (net * whole) / (whole - sumOf(parts));
  while (amount - feeOn(amount, parts, whole) > net) amount--;
  return amount;
}

/** The largest amount that is no more than `gross` once its fee is put on. */
export function mostWithin(gross: bigint, parts: readonly number[], whole = PPM): bigint {
  let amount = (gross * whole) / (whole + sumOf(parts));
  while (amount + 1n + feeOn(amount + 1n, parts, whole) <= gross) amount++;
  return amount;
}

/** The parts together. */
export function sumOf(parts: readonly number[]): bigint {
  return BigInt(parts.reduce((sum, part) => sum + part, 0));
}
