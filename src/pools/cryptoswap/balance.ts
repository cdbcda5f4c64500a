import { abs } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";
import { cubeRoot } from "./cube-root.ts";
import { newtonBalance } from "./newton.ts";
import { A_MULTIPLIER, type Amplification, ONE } from "./terms.ts";

/** A balance for an invariant, and K0 with it: where to start looking for the next invariant; zero when not known. */
export interface Balance {
  readonly y: bigint;
  readonly k0: bigint;
}

/** Coefficients of a cubic equation for K0, a z³ + b z² + c z + d, each in the contracts' units. */
type Cubic = readonly [a: bigint, b: bigint, c: bigint, d: bigint];

/** Numbers in the contracts' signed arithmetic are below this. */
const LIMIT = 1n << 255n;
const TEN_36 = ONE * ONE;

/**
 * The scaled balance of token `buy` where the others are as in `scaled` and the invariant is `d`: the analytic root of a
 * cubic equation as the contracts find it (get_y of CurveCryptoMathOptimized2.vy and …3.vy), rounding by rounding; before NG
 * by Newton's method alone. Undefined where the contracts find none, or only by leaving their range of numbers.
 */
export function balanceAt(
  scaled: readonly bigint[],
  buy: number,
  d: bigint,
  amplification: Amplification,
): Balance | undefined {
  const root = amplification.generation === undefined ? analyticRoot(scaled, buy, d, amplification) : "none";
  if (root === "none") {
    const y = newtonBalance(scaled, buy, d, amplification);
    return y === undefined ? undefined : { y, k0: 0n };
  }
  return root === undefined || root.y <= 0n || root.k0 <= 0n ? undefined : root;
}

function analyticRoot(scaled: readonly bigint[], buy: number, d: bigint, amplification: Amplification) {
  const others = scaled.filter((_, i) => i !== buy);
  const x = others[0] as bigint;
  const z = others[1];
  return z === undefined ? rootOfTwo(x, d, amplification) : rootOfThree(x, z, d, amplification);
}

function rootOfTwo(x: bigint, d: bigint, { ann, gamma }: Amplification): Balance | "none" | undefined {
  const strength = ann * gamma * gamma;
  const TEN_32 = 10n ** 32n;
  const TEN_14 = 10n ** 14n;
  const b = (d * strength) / (40_000n * A_MULTIPLIER) / x - 3n * TEN_32 - 2n * gamma * TEN_14;
  const quarter = (4n * strength) / (40_000n * A_MULTIPLIER);
  const c = 3n * TEN_32 + 4n * gamma * TEN_14 + (gamma * gamma) / 10_000n + (quarter * x) / d - quarter;
  const last = -((ONE + gamma) ** 2n / 10_000n);
  if (b === 0n || !areWithin(d * strength, quarter * x, 3n * TEN_32 * c)) return undefined;
  const delta0 = (3n * TEN_32 * c) / b - b;
  const delta1 = 3n * delta0 + b - (((27n * TEN_32 * TEN_32) / b) * last) / b;
  const divider = dividerOfTwo([abs(delta0), abs(delta1), TEN_32].reduce((low, each) => (each < low ? each : low)));
  const cubic: Cubic = [TEN_32 / divider, b / divider, c / divider, last / divider];
  const found = deltasOf(cubic, true);
  if (found === undefined || found === "none") return found;
  const [a, b1] = cubic;
  const root = (ONE * found.c1 - ONE * b1 - ((ONE * b1) / found.c1) * found.delta0) / (3n * a);
  if (!areWithin(ONE * b1, ((ONE * b1) / found.c1) * found.delta0, ((d * d) / x) * root)) return undefined;
  return { y: (((d * d) / x) * root) / 4n / ONE, k0: root };
}

function rootOfThree(x: bigint, z: bigint, d: bigint, { ann, gamma }: Amplification): Balance | "none" | undefined {
  const gamma2 = gamma * gamma;
  const a0 = TEN_36 / 27n;
  const pull = ((d * d) / x) * gamma2 * ann;
  const b0 = TEN_36 / 9n + (2n * ONE * gamma) / 27n - pull / 729n / A_MULTIPLIER / z;
  const push = ((gamma2 * (x + z - d)) / d) * ann;
  const c0 = TEN_36 / 9n + (gamma * (gamma + 4n * ONE)) / 27n + push / 27n / A_MULTIPLIER;
  const last0 = (ONE + gamma) ** 2n / 27n;
  if (b0 === 0n || !areWithin(pull, push, gamma2 * (x + z - d), 3n * a0 * c0)) return undefined;
  const divider = dividerOfThree(abs((3n * a0 * c0) / b0 - b0));
  const cubic = scaledOfThree([a0, b0, c0, last0], divider);
  const [a, b] = cubic;
  if (a === 0n || b === 0n) return undefined;
  const found = deltasOf(cubic, false);
  if (found === undefined || found === "none") return found;
  const product = b * found.delta0;
  const rootK0 = (b + product / found.c1 - found.c1) / 3n;
  const size = (((d * d) / 27n / z) * d) / x;
  if (!areWithin(product, size * rootK0, ((d * d) / 27n / z) * d)) return undefined;
  return { y: (size * rootK0) / a, k0: (ONE * rootK0) / a };
}

/** More digits for the smaller of the first two coefficients, and all of them short enough to be multiplied. */
function scaledOfThree([a, b, c, d]: Cubic, divider: bigint): Cubic {
  if (abs(a) > abs(b)) {
    const more = abs(a / b);
    return [(a * more) / divider, (b * more) / divider, (c * more) / divider, (d * more) / divider];
  }
  const less = abs(b / a);
  return [a / less / divider, b / less / divider, c / less / divider, d / less / divider];
}

/**
 * Cardano's discriminants and cube root, signs and roundings as in the contracts; "none" where the square root would be
 * of a number that is not positive.
 */
function deltasOf(
  [a, b, c, d]: Cubic,
  ofTwo: boolean,
): { readonly delta0: bigint; readonly c1: bigint } | "none" | undefined {
  if (b === 0n) return undefined;
  const delta0 = (3n * a * c) / b - b;
  const tail = ((27n * a ** 2n) / b) * d;
  // The contract for three tokens writes 9ac/b - 2b, that for two 3 delta0 + b, which rounds elsewhere.
  const delta1 = (ofTwo ? 3n * delta0 + b : (9n * a * c) / b - 2n * b) - tail / b;
  const cube = ((4n * delta0 ** 2n) / b) * delta0;
  const under = delta1 ** 2n + cube;
  if (!areWithin(9n * a * c, tail, delta1 ** 2n, 4n * delta0 ** 2n, cube, under)) return undefined;
  if (under <= 0n) return "none";
  const root = squareRoot(under);
  const rootOfB = b >= 0n ? cubeRoot(b) : -cubeRoot(-b);
  const second = delta1 > 0n ? cubeRoot((delta1 + root) / 2n) : -cubeRoot((root - delta1) / 2n);
  const c1 = (((rootOfB * rootOfB) / ONE) * second) / ONE;
  return c1 === 0n || !areWithin(rootOfB * rootOfB, ((rootOfB * rootOfB) / ONE) * second) ? undefined : { delta0, c1 };
}

function dividerOfTwo(least: bigint): bigint {
  for (let power = 48; power >= 24; power -= 2) if (least > 10n ** BigInt(power)) return 10n ** BigInt(power - 18);
  return least > 10n ** 20n ? 100n : 1n;
}

function dividerOfThree(size: bigint): bigint {
  for (let power = 48; power >= 20; power -= 4) if (size > 10n ** BigInt(power)) return 10n ** BigInt(power - 18);
  return 1n;
}

function areWithin(...values: readonly bigint[]): boolean {
  return values.every((value) => value < LIMIT && value > -LIMIT);
}
