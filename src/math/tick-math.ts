import { MAX_UINT256 } from "./full-math.ts";

/** Ticks of Uniswap V3 (TickMath.sol): tick i stands for the price 1.0001^i, kept as its square root in Q64.96. */
export const MIN_TICK = -887272;
export const MAX_TICK = 887272;
/** Square root price at MIN_TICK: the least that a pool can have. */
export const MIN_SQRT_RATIO = 4295128739n;
/** Square root price at MAX_TICK: a pool's price stays below it. */
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n;

const ONE_Q128 = 1n << 128n;

/** 2^128 × sqrt(1.0001)^-(2^i) for i = 0 … 19, rounded as TickMath.getSqrtRatioAtTick has them. */
const FACTORS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const;

/**
 * sqrt(1.0001^tick) × 2^96, rounded as TickMath.getSqrtRatioAtTick rounds it.
 * @throws RangeError when tick is not an integer from MIN_TICK to MAX_TICK.
 */
export function sqrtRatioAtTick(tick: number): bigint {
  const distance = Math.abs(tick);
  if (!Number.isInteger(tick) || distance > MAX_TICK) throw new RangeError(`not a tick: ${tick}`);
  let ratio = ONE_Q128;
  for (let bit = 0; bit < FACTORS.length; bit++) {
    if (distance & (1 << bit)) ratio = (ratio * (FACTORS[bit] as bigint)) >> 128n;
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio;
  return (ratio + 0xffffffffn) >> 32n;
}

const LOG_SQRT_1_0001 = Math.log(1.0001) / 2;

/**
 * The greatest tick whose square root price is not above `sqrtRatio`: what TickMath.getTickAtSqrtRatio answers.
 * The logarithm is taken in floating point and then put right against the exact ratios.
 * @throws RangeError when sqrtRatio is not from MIN_SQRT_RATIO to below MAX_SQRT_RATIO.
 */
export function tickAtSqrtRatio(sqrtRatio: bigint): number {
  if (sqrtRatio < MIN_SQRT_RATIO || sqrtRatio >= MAX_SQRT_RATIO) throw new RangeError(`not a price: ${sqrtRatio}`);
  const guess = Math.floor(Math.log(Number(sqrtRatio) / 2 ** 96) / LOG_SQRT_1_0001);
  let tick = Math.min(MAX_TICK - 1, Math.max(MIN_TICK, guess));
  while (sqrtRatioAtTick(tick) > sqrtRatio) tick--;
  while (sqrtRatioAtTick(tick + 1) <= sqrtRatio) tick++;
  return tick;
}
