import fc from "fast-check";
import { squareRoot } from "../../../src/math/square-root.ts";
import type { GyroKind, GyroState } from "../../../src/pools/gyro/state.ts";

const ONE = 10n ** 18n;
const ONE_XP = 10n ** 38n;

/** Square root of a number of 18 decimals. */
export const rootOfPrice = (price: bigint) => squareRoot(price * ONE);

/** Terms that an E-CLP is made from: lowest and highest price, tangent of its rotation, stretch; 18 decimals. */
export interface EclpTerms {
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly peg: bigint;
  readonly lambda: bigint;
}

/**
 * Parameters of an E-CLP's state, computed as the makers' paper has them ("E-CLP: technical specification", section 2.1): tau(p) is
 * the point (p c - s, (c + p s) / lambda) drawn to the unit circle.
 */
export function ellipseParameters({ alpha, beta, peg, lambda }: EclpTerms): readonly bigint[] {
  const hypotenuse = squareRoot(ONE * ONE + peg * peg);
  const c = (ONE * ONE) / hypotenuse;
  const s = squareRoot(ONE * ONE - c * c);
  const wide = 10n ** 20n;
  const tauOf = (price: bigint) => {
    const x = ((price * c) / 10n ** 10n - s * 10n ** 8n) * 10n ** 12n;
    const y = ((c * ONE + price * s) * 10n ** 20n) / lambda;
    const length = squareRoot(x * x + y * y);
    return { x: (x * ONE_XP) / length, y: (y * ONE_XP) / length };
  };
  const [low, high] = [tauOf(alpha), tauOf(beta)];
  const xp = (a: bigint, b: bigint, tau: bigint) => (((a * wide * (b * wide)) / ONE_XP) * tau) / ONE_XP;
  return [
    ...[c, s, lambda, low.x, low.y, high.x, high.y],
    xp(s, c, high.x - low.x),
    xp(s, s, high.y) + xp(c, c, low.y),
    xp(s, c, high.y - low.y),
    xp(c, c, high.x) + xp(s, s, low.x),
    (c * wide * (c * wide) + s * wide * (s * wide)) / ONE_XP,
  ];
}

/** A number of 18 decimals between two powers of ten, each power as likely as the others. */
const powers = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((power) => BigInt(Math.floor(10 ** (power + 9))) * 10n ** 9n);

/** Parameters of E-CLPs, as stretched and as turned as they may be. */
export const ellipses: fc.Arbitrary<readonly bigint[]> = fc
  .record({ peg: powers(-3, 3), lambda: powers(0, 7), below: powers(0.1, 4), above: powers(-2, 4) })
  .map(({ peg, lambda, below, above }) => {
    const [alpha, beta] = [peg - (peg * ONE) / below, peg + (peg * ONE) / above];
    return ellipseParameters({ alpha, beta, peg, lambda });
  });

/** Pools of a kind, between nearly empty on one side and even, of ten to a billion of either token. */
export function gyroPools(kind: GyroKind): fc.Arbitrary<GyroState> {
  const count = kind === "3clp" ? 3 : 2;
  return fc
    .record({
      decimals: fc.array(fc.constantFrom(6n, 8n, 18n), { minLength: count, maxLength: count }),
      size: fc.double({ min: 1, max: 9, noNaN: true }),
      skews: fc.array(fc.double({ min: -3, max: 0, noNaN: true }), { minLength: count, maxLength: count }),
      rates: fc.array(fc.constantFrom(ONE, 1_153n * 10n ** 15n, 874_512_345_678_901_234n), {
        ...{ minLength: count, maxLength: count },
      }),
      hasRates: fc.boolean(),
      swapFee: fc.constantFrom(10n ** 12n, 10n ** 14n, 2_500_000_000_000_001n, 10n ** 17n),
      narrow: fc.constantFrom(1n, 10n, 100n, 1_000n),
      peg: fc.constantFrom(ONE, (ONE * 9n) / 10n, 3n * ONE),
      lambda: fc.constantFrom(ONE, 50n * ONE, 500n * ONE, 4_000n * ONE),
    })
    .map(({ decimals, size, skews, rates, hasRates, swapFee, narrow, peg, lambda }) => {
      const scales = decimals.map((digits) => 10n ** (18n - digits));
      // The constructor takes no ellipse whose range is too narrow for how far it is stretched.
      const parts = kind === "eclp" && narrow * ONE > lambda ? lambda / ONE : narrow;
      const [alpha, beta] = [peg - peg / (10n * parts), peg + peg / (8n * parts)];
      const parameters =
        kind === "2clp"
          ? [rootOfPrice(alpha), rootOfPrice(beta)]
          : kind === "3clp"
            ? [ONE - ONE / (25n * narrow)]
            : ellipseParameters({ alpha, beta, peg, lambda });
      const own = rates.map((rate) => (hasRates && kind !== "3clp" ? rate : ONE));
      const balances = scales.map(
        (scale, i) => (BigInt(Math.floor(10 ** (size + skews[i]!) * 1e6)) * 10n ** 30n) / (scale * own[i]!),
      );
      const rated = own.map((rate) => rate !== ONE);
      return { kind, balances, scales, rates: own, rated, parameters, swapFee, paused: false };
    });
}
