import { MAX_UINT256, smaller } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import type { MaverickTick } from "./state.ts";

/**
 * Prices and liquidity of ticks, rounded as Maverick V2 rounds them. Source: maverickprotocol/v2-common, TickMath.sol and Math.sol.
 */

export const ONE = 10n ** 18n;
/** Prices end at 1.0001 to this power and its inverse (Constants.MAX_TICK). */
export const MAX_POWER = 322_378;
const ONE_Q128 = 1n << 128n;
const BILLION = 10n ** 9n;

/** 2^128 times the square root of 1.0001^-(2^i) for i = 0 … 18, as the contract has them. */
const FACTORS = [
  0xfffcb933bd6fad9d3af5f0b9f25db4d6n,
  0xfff97272373d41fd789c8cb37ffcaa1cn,
  0xfff2e50f5f656ac9229c67059486f389n,
  0xffe5caca7e10e81259b3cddc7a064941n,
  0xffcb9843d60f67b19e8887e0bd251eb7n,
  0xff973b41fa98cd2e57b660be99eb2c4an,
  0xff2ea16466c9838804e327cb417cafcbn,
  0xfe5dee046a99d51e2cc356c2f617dbe0n,
  0xfcbe86c7900aecf64236ab31f1f9dcb5n,
  0xf987a7253ac4d9194200696907cf2e37n,
  0xf3392b0822b88206f8abe8a3b44dd9ben,
  0xe7159475a2c578ef4f1d17b2b235d480n,
  0xd097f3bdfd254ee83bdd3f248e7e785en,
  0xa9f746462d8f7dd10e744d913d033333n,
  0x70d869a156ddd32a39e257bc3f50aa9bn,
  0x31be135f97da6e09a19dc367e3b6da40n,
  0x9aa508b5b7e5a9780b0cc4e25d61a56n,
  0x5d6af8dedbcb3a6ccb7ce618d14225n,
  0x2216e584f630389b2052b8db590en,
] as const;

/** Square root price of A in B at the lower end of a tick, 18 decimals; undefined beyond the contract's prices. */
export function sqrtPriceAt(tickSpacing: number, tick: number): bigint | undefined {
  const power = Math.abs(tick) * tickSpacing;
  if (power > MAX_POWER) return undefined;
  let ratio = ONE_Q128;
  for (let bit = 0; bit < FACTORS.length; bit++) {
    if (power & (1 << bit)) ratio = (ratio * (FACTORS[bit] as bigint)) >> 128n;
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio * ONE) >> 128n;
}

/** A tick as a swap meets it. All in 18 decimals. */
export interface PricedTick extends MaverickTick {
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
}

/** A tick with its price and liquidity; undefined where one of its ends is beyond the contract's prices. */
export function priced(tickSpacing: number, tick: MaverickTick): PricedTick | undefined {
  const [lower, upper] = [sqrtPriceAt(tickSpacing, tick.index), sqrtPriceAt(tickSpacing, tick.index + 1)];
  if (lower === undefined || upper === undefined) return undefined;
  const liquidity = liquidityOf(tick, lower, upper);
  return { ...tick, liquidity, sqrtPrice: sqrtPriceOf(tick, liquidity, lower, upper) };
}

/** Source: TickMath.getTickL. Small reserves are shifted up so as to keep their digits. */
function liquidityOf({ reserveA, reserveB }: MaverickTick, lower: bigint, upper: bigint): bigint {
  const width = upper - lower;
  const shift = reserveA >> 78n === 0n && reserveB >> 78n === 0n ? 57n : 0n;
  const [a, b] = [reserveA << shift, reserveB << shift];
  if (b === 0n) return ((a * ONE) / width) >> shift;
  if (a === 0n) return ((((b * lower) / ONE) * upper) / width) >> shift;
  const half = ((a * ONE) / upper + (b * lower) / ONE) >> 1n;
  const root = squareRoot((half * half) / ONE + (((b * a) / ONE) * width) / upper);
  return (((half + root * BILLION) * upper) / width) >> shift;
}

/** Source: TickMath.getSqrtPrice. */
function sqrtPriceOf({ reserveA, reserveB }: MaverickTick, liquidity: bigint, lower: bigint, upper: bigint): bigint {
  if (reserveA === 0n) return lower;
  if (reserveB === 0n) return upper;
  const a = reserveA + (liquidity * lower) / ONE;
  const b = reserveB + (liquidity * ONE) / upper;
  const price = squareRoot(ONE * ((a * ONE) / b));
  return price < lower ? lower : smaller(price, upper);
}
