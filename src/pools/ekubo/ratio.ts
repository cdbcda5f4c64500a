import { MAX_UINT256 } from "../../math/full-math.ts";

/**
 * Ticks and prices of Ekubo: tick i stands for the price 1.000001^i. Square root prices are fixed-point numbers with 128
 * fractional bits, of which Core keeps the 62 to 94 highest. Source: EkuboProtocol/evm-contracts v3.2.0, math/ticks.sol and
 * types/sqrtRatio.sol.
 */

export const MIN_TICK = -88_722_835;
export const MAX_TICK = 88_722_835;

/** 2^128 × 1.000001^-(2^i / 2) for i = 0 … 26, rounded to the nearest. */
const FACTORS = [
  0xfffff79c8499329c7cbb2510d893283bn,
  0xffffef390978c398134b4ff3764fe410n,
  0xffffde72140b00a354bd3dc828e976c9n,
  0xffffbce42c7be6c998ad6318193c0b18n,
  0xffff79c86a8f6150a32d9778eceef97cn,
  0xfffef3911b7cff24ba1b3dbb5f8f5974n,
  0xfffde72350725cc4ea8feece3b5f13c8n,
  0xfffbce4b06c196e9247ac87695d53c60n,
  0xfff79ca7a4d1bf1ee8556cea23cdbaa5n,
  0xffef3995a5b6a6267530f207142a5764n,
  0xffde7444b28145508125d10077ba83b8n,
  0xffbceceeb791747f10df216f2e53ec57n,
  0xff79eb706b9a64c6431d76e63531e929n,
  0xfef41d1a5f2ae3a20676bec6f7f9459an,
  0xfde95287d26d81bea159c37073122c73n,
  0xfbd701c7cbc4c8a6bb81efd232d1e4e7n,
  0xf7bf5211c72f5185f372aeb1d48f937en,
  0xefc2bf59df33ecc28125cf78ec4f167fn,
  0xe08d35706200796273f0b3a981d90cfdn,
  0xc4f76b68947482dc198a48a54348c4edn,
  0x978bcb9894317807e5fa4498eee7c0fan,
  0x59b63684b86e9f486ec54727371ba6can,
  0x1f703399d88f6aa83a28b22d4a1f56e3n,
  0x3dc5dac7376e20fc8679758d1bcdcfcn,
  0xee7e32d61fdb0a5e622b820f681d0n,
  0xde2ee4bc381afa7089aa84bb66n,
  0xc0d55d4d7152c25fb139n,
] as const;

/** Regions of prices: those below the power of two `below` are kept without their `dropped` lowest bits. */
const REGIONS = [
  { below: 96n, dropped: 2n },
  { below: 128n, dropped: 34n },
  { below: 160n, dropped: 66n },
  { below: 192n, dropped: 98n },
] as const;
/** Bits of a stored price that hold the number; the two above them tell the region. */
const NUMBER_BITS = 94n;

/** A price as Core keeps it; undefined where it is too large for that. */
export function keptRatio(ratio: bigint, roundUp: boolean): bigint | undefined {
  for (const { below, dropped } of REGIONS) {
    const rounded = roundUp ? ratio + (1n << dropped) - 1n : ratio;
    if (rounded >> below === 0n) return (rounded >> dropped) << dropped;
  }
  return undefined;
}

/** The price that 96 bits of Core's storage hold. */
export function ratioOf(stored: bigint): bigint {
  const { dropped } = REGIONS[Number(stored >> NUMBER_BITS) as 0 | 1 | 2 | 3];
  return BigInt.asUintN(Number(NUMBER_BITS), stored) << dropped;
}

/** 96 bits that hold a price which Core keeps. */
export function storedRatio(ratio: bigint): bigint {
  const region = REGIONS.findIndex(({ below }) => ratio >> below === 0n);
  return (BigInt(region) << NUMBER_BITS) | (ratio >> REGIONS[region as 0 | 1 | 2 | 3].dropped);
}

/** Square root price of a tick. @throws RangeError when tick is not an integer from MIN_TICK to MAX_TICK. */
export function ratioAtTick(tick: number): bigint {
  const distance = Math.abs(tick);
  if (!Number.isInteger(tick) || distance > MAX_TICK) throw new RangeError(`not a tick: ${tick}`);
  let ratio = 1n << 128n;
  for (let bit = 0; bit < FACTORS.length; bit++) {
    if (distance & (1 << bit)) ratio = (ratio * (FACTORS[bit] as bigint)) >> 128n;
  }
  return keptRatio(tick > 0 ? MAX_UINT256 / ratio : ratio, false) as bigint;
}

/** Square root prices at the ends of the scale, which swaps may reach. */
export const MIN_RATIO = ratioAtTick(MIN_TICK);
export const MAX_RATIO = ratioAtTick(MAX_TICK);

/** Natural logarithm of the square root price between two ticks. */
export const LOG_SQRT_BASE = Math.log1p(1e-6) / 2;

/** The greatest tick whose square root price is not above `ratio`. @throws RangeError when it is beyond the scale. */
export function tickAtRatio(ratio: bigint): number {
  if (ratio < MIN_RATIO || ratio > MAX_RATIO) throw new RangeError(`not a price: ${ratio}`);
  const guess = Math.floor(Math.log(Number(ratio) / 2 ** 128) / LOG_SQRT_BASE);
  let tick = Math.min(MAX_TICK, Math.max(MIN_TICK, guess));
  while (ratioAtTick(tick) > ratio) tick--;
  while (tick < MAX_TICK && ratioAtTick(tick + 1) <= ratio) tick++;
  return tick;
}
