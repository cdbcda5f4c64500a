import { MAX_UINT256 } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import { cubeRoot } from "./cube-root.ts";
import { geometricMean } from "./geometric-mean.ts";
import { A_MULTIPLIER, type Amplification, ONE } from "./terms.ts";

const MAX_ROUNDS = 255;
const TEN_14 = 10n ** 14n;

/**
 * The invariant D of scaled balances by Newton's method, as the contracts find it (newton_D of CurveCryptoMathOptimized2.vy
 * and …3.vy, CurveCryptoMath3.vy before): `k0` is what `balanceAt` found with the balance, zero without. Undefined where it is
 * not found.
 */
export function invariantOf(scaled: readonly bigint[], amplification: Amplification, k0: bigint): bigint | undefined {
  const { ann, gamma, generation } = amplification;
  const count = BigInt(scaled.length);
  const sorted = [...scaled].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const sum = sorted.reduce((a, b) => a + b, 0n);
  let d = k0 === 0n && sorted.length === 3 ? 3n * geometricMean(sorted, generation) : firstGuess(sorted, sum, k0);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (d <= 0n) return undefined;
    const before = d;
    const k = balanceOf(sorted, d);
    if (k === 0n) return undefined;
    const g = distance(gamma, k);
    const mul1 = (((((ONE * d) / gamma) * g) / gamma) * g * A_MULTIPLIER) / ann;
    const mul2 = (2n * ONE * count * k) / g;
    const slope = sum + (sum * mul2) / ONE + (mul1 * count) / k - (mul2 * d) / ONE;
    if (slope <= 0n || mul1 > MAX_UINT256 || d * (slope + sum) > MAX_UINT256) return undefined;
    const plus = (d * (slope + sum)) / slope;
    const part = (d * (mul1 / slope)) / ONE;
    const minus = (d * d) / slope + (k < ONE ? (part * (ONE - k)) / k : -((part * (k - ONE)) / k));
    if (minus < 0n) return undefined;
    d = plus > minus ? plus - minus : (minus - plus) / 2n;
    const moved = d > before ? d - before : before - d;
    if (moved * TEN_14 < (d > 10n ** 16n ? d : 10n ** 16n)) return d;
  }
  return undefined;
}

function firstGuess(sorted: readonly bigint[], sum: bigint, k0: bigint): bigint {
  const [x, y, z] = sorted as readonly [bigint, bigint, bigint?];
  if (z === undefined) {
    if (k0 === 0n) return 2n * squareRoot(x * y);
    const guess = squareRoot(((4n * x * y) / k0) * ONE);
    return sum < guess ? sum : guess;
  }
  const [cut, back] = sum > 10n ** 36n ? [36, 12] : sum > 10n ** 24n ? [24, 6] : [18, 0];
  return cubeRoot(((((x * y) / 10n ** BigInt(cut)) * z) / k0) * 27n * 10n ** BigInt(back));
}

/** K0: one in balance, less elsewhere. 18 decimals; the contract for two tokens multiplies their count in at once. */
function balanceOf(sorted: readonly bigint[], d: bigint): bigint {
  if (sorted.length === 3) return sorted.reduce((product, x) => (product * x * 3n) / d, ONE);
  const [x, y] = sorted as readonly [bigint, bigint];
  return (((4n * ONE * x) / d) * y) / d;
}

/** 1 + gamma - K0, or the other way around, and one more: never zero. */
function distance(gamma: bigint, k: bigint): bigint {
  const g = gamma + ONE;
  return g > k ? g - k + 1n : k - g + 1n;
}

/**
 * The scaled balance of token `buy` for an invariant `d` by Newton's method (newton_y): where the cubic equation has no
 * root that the contracts can find. Undefined where it is not found.
 */
export function newtonBalance(
  scaled: readonly bigint[],
  buy: number,
  d: bigint,
  { ann, gamma }: Amplification,
): bigint | undefined {
  const count = BigInt(scaled.length);
  const others = scaled.filter((_, i) => i !== buy).sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const first = others[0] as bigint;
  const second = others[1];
  const sumOfOthers = first + (second ?? 0n);
  let y = second === undefined ? (d * d) / (first * 4n) : ((((d / 3n) * d) / (second * 3n)) * d) / (first * 3n);
  const k0Others = others.reduce((k, x) => (second === undefined ? (ONE * 2n * x) / d : (k * x * 3n) / d), ONE);
  const largest = first > d ? first : d;
  const near = largest / TEN_14 > 100n ? largest / TEN_14 : 100n;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = y;
    const k = (k0Others * y * count) / d;
    const sum = sumOfOthers + y;
    if (k === 0n || y === 0n) return undefined;
    const g = distance(gamma, k);
    const mul1 = (((((ONE * d) / gamma) * g) / gamma) * g * A_MULTIPLIER) / ann;
    const mul2 = ONE + (2n * ONE * k) / g;
    const above = ONE * y + sum * mul2 + mul1;
    if (above > MAX_UINT256) return undefined;
    if (above < d * mul2) {
      y = before / 2n;
      continue;
    }
    const slope = (above - d * mul2) / y;
    if (slope === 0n) return undefined;
    const part = mul1 / slope;
    const plus = (above - d * mul2 + ONE * d) / slope + (part * ONE) / k;
    const minus = part + (ONE * sum) / slope;
    y = plus < minus ? before / 2n : plus - minus;
    const moved = y > before ? y - before : before - y;
    if (moved < (y / TEN_14 > near ? y / TEN_14 : near)) return y;
  }
  return undefined;
}
