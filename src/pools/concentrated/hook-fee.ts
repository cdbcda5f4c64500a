import type { ConcentratedState, SwapHook } from "./state.ts";

const PPM = 1_000_000n;

/** Fees of hooks in one swap: parts of the amount that the swapper named, and of the other one; parts per million. */
export interface HookFee {
  readonly named: readonly number[];
  readonly other: readonly number[];
}

const NO_PARTS: readonly number[] = [];
const NO_FEE: HookFee = { named: NO_PARTS, other: NO_PARTS };

/**
 * Fees of the pool's hooks in a swap of this direction and kind. A part of what is named is taken in `beforeSwap`: an exact-in
 * swaps less, an exact-out more. A part of the other amount is taken in `afterSwap` (Hooks.sol of Uniswap V4).
 */
export function hookFeeOf({ hook }: Pick<ConcentratedState, "hook">, zeroForOne: boolean, exactIn: boolean): HookFee {
  if (hook === undefined) return NO_FEE;
  const parts = zeroForOne ? hook.token0InPpm : hook.token1InPpm;
  const isNamed = hook.charges !== "unspecified" && (hook.charges === "token0") === (zeroForOne === exactIn);
  return isNamed ? { named: parts, other: NO_PARTS } : { named: NO_PARTS, other: parts };
}

/** The fee on an amount: each part is rounded down by itself. */
export function feeOn(amount: bigint, parts: readonly number[]): bigint {
  return parts.reduce((sum, part) => sum + (amount * BigInt(part)) / PPM, 0n);
}

/** The parts together, of one. */
export function shareOf(parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + part, 0) / 1e6;
}

/** Whether these hooks leave something of every swap. */
export function isPayable({ token0InPpm, token1InPpm }: SwapHook): boolean {
  return [token0InPpm, token1InPpm].every((parts) => parts.every((part) => part >= 0) && shareOf(parts) < 1);
}

/** The largest amount that is no more than `net` once its fee is taken off. */
export function mostBefore(net: bigint, parts: readonly number[]): bigint {
  let amount = (net * PPM) / (PPM - sumOf(parts));
  while (amount - feeOn(amount, parts) > net) amount--;
  return amount;
}

/** The largest amount that is no more than `gross` once its fee is put on. */
export function mostWithin(gross: bigint, parts: readonly number[]): bigint {
  let amount = (gross * PPM) / (PPM + sumOf(parts));
  while (amount + 1n + feeOn(amount + 1n, parts) <= gross) amount++;
  return amount;
}

/** The parts together, per million. */
export function sumOf(parts: readonly number[]): bigint {
  return BigInt(parts.reduce((sum, part) => sum + part, 0));
}
