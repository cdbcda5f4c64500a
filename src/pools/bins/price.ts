import { MAX_UINT256 } from "../../math/full-math.ts";

const SCALE_OFFSET = 128n;
const SCALE = 1n << SCALE_OFFSET;
const BASIS_POINTS = 10_000n;
/** The bin whose price is one. */
const ONE_ID = 1 << 23;
/** Powers of this many bins and more are not worked out (Uint128x128Math.pow). */
const MAX_BINS_AWAY = 0x100000;

/**
 * Base units of Y for one of X in a bin, with 128 fractional bits; undefined where the contract has none. Source:
 * PriceHelper.getPriceFromId and Uint128x128Math.pow, which square the inverse of a base above one and cut 128 bits each
 * time, so that every bit has to be cut here as well.
 */
export function priceOf(binStep: number, id: number): bigint | undefined {
  const away = Math.abs(id - ONE_ID);
  if (away === 0) return SCALE;
  if (away >= MAX_BINS_AWAY) return undefined;
  // A base above one is inverted first, and the power of a bin above the middle at the end.
  let squared = MAX_UINT256 / (SCALE + (BigInt(binStep) << SCALE_OFFSET) / BASIS_POINTS);
  let power = SCALE;
  for (let left = away; left > 0; left >>= 1) {
    if (left & 1) power = (power * squared) >> SCALE_OFFSET;
    squared = (squared * squared) >> SCALE_OFFSET;
  }
  if (power === 0n) return undefined;
  return id > ONE_ID ? MAX_UINT256 / power : power;
}

/** Value of `x` of token X in token Y at a price, rounded down. */
export function worthInY(x: bigint, price: bigint): bigint {
  return (x * price) >> SCALE_OFFSET;
}

/** Value of `y` of token Y in token X at a price, rounded down. */
export function worthInX(y: bigint, price: bigint): bigint {
  return (y << SCALE_OFFSET) / price;
}

/** As worthInY, rounded up. */
export function worthInYRoundedUp(x: bigint, price: bigint): bigint {
  return (x * price + SCALE - 1n) >> SCALE_OFFSET;
}

/** As worthInX, rounded up. */
export function worthInXRoundedUp(y: bigint, price: bigint): bigint {
  return ((y << SCALE_OFFSET) + price - 1n) / price;
}

/** A price as a float. */
export function floatOf(price: bigint): number {
  return Number(price) / 2 ** 128;
}
