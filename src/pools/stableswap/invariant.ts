import { MAX_UINT256 } from "../../math/full-math.ts";
import type { StableswapState } from "./state.ts";

/**
 * The stableswap invariant in integers, step by step as Curve's contracts do it (get_D, get_y and get_y_D of StableSwap3Pool.vy,
 * SwapTemplateBase.vy and CurveStableSwapNG.vy). Undefined where the contract would revert.
 */

export const PRECISION = 10n ** 18n;
const MAX_ROUNDS = 255;

type Ramp = Pick<StableswapState, "initialA" | "futureA" | "initialATime" | "futureATime">;

/** Amplification at a time, in the contract's units (_A). */
export function amplificationAt(state: Ramp, time: bigint): bigint {
  const { initialA, futureA, initialATime, futureATime } = state;
  if (time >= futureATime) return futureA;
  const passed = time > initialATime ? time - initialATime : 0n;
  const way = futureATime - initialATime;
  return futureA > initialA
    ? initialA + ((futureA - initialA) * passed) / way
    : initialA - ((initialA - futureA) * passed) / way;
}

/** Balances in 18 decimals of the common value (_xp). */
export function scaledBalances({ balances, rates }: Pick<StableswapState, "balances" | "rates">): readonly bigint[] {
  return balances.map((balance, i) => ((rates[i] as bigint) * balance) / PRECISION);
}

/** The invariant D of scaled balances, none of them zero. */
export function invariantOf(
  scaled: readonly bigint[],
  amplification: bigint,
  { aPrecision, generation }: Pick<StableswapState, "aPrecision" | "generation">,
): bigint | undefined {
  const count = BigInt(scaled.length);
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const ann = amplification * count;
  let d = sum;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let product = d;
    for (const x of scaled) {
      if (product * d > MAX_UINT256) return undefined;
      product = (product * d) / (generation === "ng" ? x : x * count);
    }
    if (generation === "ng") product /= count ** count;
    const before = d;
    const above = ((ann * sum) / aPrecision + product * count) * d;
    const below = ((ann - aPrecision) * d) / aPrecision + (count + 1n) * product;
    if (above > MAX_UINT256 || below === 0n) return undefined;
    d = above / below;
    if (near(d, before)) return d;
  }
  return undefined;
}

/** Scaled balance of token `index` for which the invariant is `d`, with all others as they are (get_y, get_y_D). */
export function balanceFor(
  scaled: readonly bigint[],
  index: number,
  d: bigint,
  amplification: bigint,
  { aPrecision }: Pick<StableswapState, "aPrecision">,
): bigint | undefined {
  const count = BigInt(scaled.length);
  const ann = amplification * count;
  let sum = 0n;
  let c = d;
  for (const [i, held] of scaled.entries()) {
    if (i === index) continue;
    sum += held;
    if (held <= 0n || c * d > MAX_UINT256) return undefined;
    c = (c * d) / (held * count);
  }
  if (c * d * aPrecision > MAX_UINT256) return undefined;
  c = (c * d * aPrecision) / (ann * count);
  const b = sum + (d * aPrecision) / ann;
  let y = d;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = y;
    const above = y * y + c;
    const below = 2n * y + b - d;
    if (above > MAX_UINT256 || below <= 0n) return undefined;
    y = above / below;
    if (near(y, before)) return y;
  }
  return undefined;
}

function near(a: bigint, b: bigint): boolean {
  return a > b ? a - b <= 1n : b - a <= 1n;
}
