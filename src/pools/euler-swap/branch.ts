import { abs, divRoundingUp, larger, MAX_UINT112, MAX_UINT256, mulDivRoundingUp } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import type { EulerSwapState, EulerSwapVersion } from "./state.ts";

/**
 * The curve of EulerSwap's white paper on one side of its equilibrium, where the reserve x of a token is below x0. The other reserve is
 * y = y0 + px / py * (x0 - x) * (c + (1 - c) * x0 / x). All answers are undefined where the contract has no number.
 */
export interface Branch {
  readonly px: bigint;
  readonly py: bigint;
  readonly x0: bigint;
  readonly y0: bigint;
  /** Concentration in parts of 10^18. */
  readonly c: bigint;
}

export const ONE = 10n ** 18n;

/** Version 1 takes the square of a number below this as it is. */
const SQUARED_AS_IS = 10n ** 36n;
const MAX_INT256 = (1n << 255n) - 1n;
/** Bits of a number whose square has room in a word, in either version. */
const [BITS_SQUARED_V1, BITS_SQUARED_V2] = [128, 127];
/** Version 2 shifts as if 4AC had the bits of this times x0, beyond so many. */
const FOUR_AC_UNIT = 3_814_697_265_625n;
const BITS_FOUR_AC = 109;

/** The side of a pool on which `token` is below its equilibrium. */
export function branchOf({ equilibrium, prices, concentrations }: EulerSwapState, token: 0 | 1): Branch {
  const other = token === 0 ? 1 : 0;
  return {
    ...{ px: prices[token], py: prices[other], c: concentrations[token] },
    ...{ x0: equilibrium[token], y0: equilibrium[other] },
  };
}

/** Reserve y that the curve asks for at 1 <= x <= x0, rounded up (`f` of CurveLib.sol). */
export function otherReserve(version: EulerSwapVersion, branch: Branch, x: bigint): bigint | undefined {
  const { px, py, x0, y0, c } = branch;
  const ahead = px * (x0 - x);
  let above: bigint;
  if (version === "v2" && c === ONE) above = divRoundingUp(ahead, py);
  else if (x === 0n) return undefined;
  else {
    const bent = c * x + (ONE - c) * x0;
    above =
      version === "v2"
        ? mulDivRoundingUp(ahead, bent, ONE * x * py)
        : divRoundingUp(mulDivRoundingUp(ahead, bent, ONE * x), py);
  }
  return y0 + above > MAX_UINT112 ? undefined : y0 + above;
}

/** Reserve x that the curve asks for at y >= y0, rounded up (`fInverse` of CurveLib.sol). */
export function ownReserve(version: EulerSwapVersion, branch: Branch, y: bigint): bigint | undefined {
  return version === "v1" ? ownReserveV1(branch, y) : ownReserveV2(branch, y);
}

/** The root of c * x^2 + B * x - C, B = py / px * (y - y0) - (2c - 1) * x0 and C = (1 - c) * x0^2, in whole units. */
function ownReserveV1({ px, py, x0, y0, c }: Branch, y: bigint): bigint | undefined {
  const moved = mulDivRoundingUp(py * ONE, y - y0, px);
  if (moved > MAX_INT256) return undefined;
  const b = (moved - (2n * c - ONE) * x0) / ONE;
  const last = mulDivRoundingUp(ONE - c, x0 * x0, ONE);
  const fourAC = mulDivRoundingUp(4n * c, last, ONE);
  const root = rootV1(abs(b), fourAC);
  if (root === undefined) return undefined;
  if (b <= 0n && c === 0n) return undefined;
  const sum = abs(b) + root;
  const x = (b <= 0n ? mulDivRoundingUp(sum, ONE, 2n * c) : divRoundingUp(2n * last, sum)) + 1n;
  if (x > MAX_UINT256) return undefined;
  return x >= x0 ? x0 : x;
}

/** Root of b^2 + 4AC, rounded up. Large numbers are squared without their last bits. */
function rootV1(b: bigint, fourAC: bigint): bigint | undefined {
  const scale = b < SQUARED_AS_IS ? 1n : 1n << BigInt(Math.max(0, bitsOf(b) - BITS_SQUARED_V1));
  const squared = mulDivRoundingUp(b / scale, b, scale);
  const sum = squared + fourAC / (scale * scale);
  return sum > MAX_UINT256 ? undefined : rootRoundingUp(sum) * scale;
}

/** Reserve x as in version 1, with 18 more digits; B's sign chooses the one of two forms of the root that loses none. */
function ownReserveV2({ px, py, x0, y0, c }: Branch, y: bigint): bigint | undefined {
  const plus = ONE * ((y - y0) * py + x0 * px);
  const minus = 2n * c * x0 * px;
  if (larger(plus, minus) > MAX_UINT256) return undefined;
  const isNegative = plus < minus;
  const b = isNegative ? divRoundingUp(minus - plus, px) : (plus - minus) / px;
  const shift = BigInt(Math.max(0, bitsOf(b) - BITS_SQUARED_V2, bitsOf(x0 * FOUR_AC_UNIT) - BITS_FOUR_AC));
  const unit = 1n << (2n * shift);
  const fourAC = 4n * c * (ONE - c) * x0 * x0;
  if (isNegative) {
    const root = rootRoundingUp(divRoundingUp(fourAC, unit) + divRoundingUp(b * b, unit)) << shift;
    return atMost(x0, divRoundingUp(b + root, 2n * c));
  }
  const sum = b + (squareRoot(fourAC / unit + (b * b) / unit) << shift);
  // Without a concentration to lose and at the equilibrium's end both are zero, and so is the answer.
  return sum === 0n ? 0n : atMost(x0, divRoundingUp(2n * (ONE - c) * x0 * x0, sum));
}

/** Version 2 takes one off what rounding has brought above x0. */
function atMost(x0: bigint, x: bigint): bigint {
  return x > x0 ? x - 1n : x;
}

function bitsOf(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

function rootRoundingUp(value: bigint): bigint {
  const root = squareRoot(value);
  return root * root < value ? root + 1n : root;
}
