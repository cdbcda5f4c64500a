import fc from "fast-check";
import { expect, test } from "vitest";
import { squareRoot } from "../../../src/math/square-root.ts";
import { impossibleGyro } from "../../../src/pools/gyro/impossible.ts";
import { gyroMath } from "../../../src/pools/gyro/math.ts";
import type { GyroKind, GyroState } from "../../../src/pools/gyro/state.ts";
import { stateAt } from "../../../src/pools/gyro/state-at.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { ellipseParameters, ellipses, gyroPools, rootOfPrice } from "./arbitrary-gyro.ts";

const ONE = 10n ** 18n;
const KINDS: readonly GyroKind[] = ["2clp", "3clp", "eclp"];

/** Value of one unit of the sold token in units of the bought one. */
function rateOf(state: GyroState, direction: Direction): number {
  const spot = gyroMath.spotPrice(state, direction, 0n);
  return spot === undefined ? 0 : Number(spot.num) / Number(spot.den);
}

/** Base units of a token by which the contract's roundings may move a balance: a few digits, and for an ellipse its own bound. */
function errorOf(state: GyroState, token: number): number {
  const current = stateAt(state);
  if (isRejection(current)) return 0;
  const { shape, factors, scaled } = current;
  const own = "offsets" in shape ? 4 : 0;
  const ofRadius = "radius" in shape ? Number(shape.radius.over - shape.radius.under) : 0;
  const ofStretch = "ellipse" in shape ? Number(shape.ellipse.lambda) / 1e18 : 0;
  const held = scaled.reduce((sum, each) => sum + Number(each), 0);
  return ((own + (4 + ofRadius) * (1 + ofStretch) + held * 1e-14) * 1e18) / Number(factors[token]);
}

for (const kind of KINDS)
  poolContract(`a pool of ${kind}`, {
    ...{ math: gyroMath, states: gyroPools(kind), directions: directionsOf(kind === "3clp" ? 3 : 2) },
    exactOutExtra: (state, { sell }) => BigInt(Math.ceil(2 + 2 * errorOf(state, sell))),
    exactOutShort: (state, { buy }) => BigInt(Math.ceil(1 + errorOf(state, buy))),
    roundingOf: (state, direction) => 2 + 2 * rateOf(state, direction) + errorOf(state, direction.buy),
  });

const PLAIN = { swapFee: ONE / 1_000n, scales: [1n, 1n], rates: [ONE, ONE], rated: [false, false], paused: false };
const [HALF, TWICE] = [rootOfPrice(ONE / 2n), rootOfPrice(2n * ONE)];
const round = ellipseParameters({ alpha: ONE / 2n, beta: 2n * ONE, peg: ONE, lambda: 10n * ONE });
const plain: Readonly<Record<GyroKind, GyroState>> = {
  "2clp": { ...PLAIN, kind: "2clp", balances: [10n ** 21n, 10n ** 21n], parameters: [HALF, TWICE] },
  "3clp": {
    ...PLAIN,
    ...{ kind: "3clp", balances: [10n ** 21n, 10n ** 21n, 10n ** 21n], parameters: [(ONE * 99n) / 100n] },
    ...{ scales: [1n, 1n, 1n], rates: [ONE, ONE, ONE], rated: [false, false, false] },
  },
  eclp: { ...PLAIN, kind: "eclp", balances: [10n ** 21n, 10n ** 21n], parameters: round },
};
const there = { sell: 0, buy: 1 };
const back = { sell: 1, buy: 0 };
const sold = (state: GyroState, direction: Direction, amount: bigint) => {
  const quote = gyroMath.quoteExactIn(state, direction, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};

test.each(KINDS)("%s: a paused pool and an empty one serve nobody", (kind) => {
  const state = plain[kind];
  const ask = (other: Partial<GyroState>) => gyroMath.quoteExactIn({ ...state, ...other }, there, ONE, 0n);
  expect(ask({ paused: true })).toEqual({ rejected: "PAUSED" });
  expect(ask({ balances: state.balances.map(() => 0n) })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(ask({ balances: state.balances.map(() => 1n << 111n) })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(ask({ rates: state.rates.map(() => 0n) })).toEqual({ rejected: "NO_LIQUIDITY" });
});

test.each(KINDS)("%s: all of a token can be bought, which leaves the end of the price range", (kind) => {
  const state = plain[kind];
  const { maxSell, maxBuy } = gyroMath.limits(state, there, 0n);
  expect(Number(maxBuy) / 1e21).toBeCloseTo(1, 7);
  const { next } = sold(state, there, maxSell);
  expect(gyroMath.limits(next, there, 0n).maxBuy).toBeLessThan(10n ** 13n);
  // Back from there the pool pays as if it had never been left, less two fees.
  const home = sold(next, back, maxBuy).amount;
  expect(Number(home) / Number(maxSell)).toBeCloseTo(0.998, 3);
});

test("a rate is worth as much as it says, and costs gas in every swap", () => {
  const state = plain.eclp;
  const rated: GyroState = {
    ...{ ...state, balances: [5n * 10n ** 20n, 10n ** 21n] },
    ...{ rates: [2n * ONE, ONE], rated: [true, false] },
  };
  const [one, two] = [sold(state, there, 10n ** 19n), sold(rated, there, 5n * 10n ** 18n)];
  expect(two.amount).toBe(one.amount);
  expect(two.gas).toBeGreaterThan(one.gas);
});

test("of three tokens the contract rounds by the one that is not traded", () => {
  const state = {
    ...plain["3clp"],
    balances: [123_456_789_012_345_678_901n, 10n ** 18n + 7n, 987_654_321_098_765_433n],
  };
  const current = stateAt(state);
  if (isRejection(current) || !("offsets" in current.shape)) throw new Error("no offsets");
  expect(current.shape.offsets).toHaveLength(3);
  expect(gyroMath.quoteExactIn(state, { sell: 0, buy: 2 }, 10n ** 15n, 0n)).toHaveProperty("amount");
});

test("states that pools can have are possible, others not", () => {
  for (const kind of KINDS)
    fc.assert(
      fc.property(gyroPools(kind), (state) => {
        expect(impossibleGyro(state)).toBeUndefined();
      }),
    );
  const fault = (kind: GyroKind, other: Partial<GyroState>) => impossibleGyro({ ...plain[kind], ...other });
  expect(fault("2clp", { swapFee: ONE })).toMatch(/^swapFee/);
  expect(fault("2clp", { scales: [1n, 1n, 1n] })).toMatch(/^3 tokens/);
  expect(fault("2clp", { rates: [ONE, 0n] })).toMatch(/^rates/);
  for (const [kind, parameters] of [
    ["2clp", [TWICE, HALF]],
    ["2clp", [HALF]],
    ["2clp", [HALF, 10n ** 25n]],
    ["3clp", [ONE]],
    ["3clp", [ONE / 10n]],
    ["eclp", round.slice(1)],
    ["eclp", round.with(2, ONE - 1n)],
    ["eclp", round.with(2, 10n ** 25n + 1n)],
    ["eclp", round.with(0, ONE + 1n)],
    ["eclp", round.with(0, -round[0]!)],
    ["eclp", round.with(11, 2n * 10n ** 38n)],
    ["eclp", round.with(5, 2n * 10n ** 38n)],
  ] as const)
    expect(fault(kind, { parameters }), kind).toBe("parameters of no pool");
});

const ofEllipse = (parameters: readonly bigint[]) => impossibleGyro({ ...plain.eclp, parameters });

/**
 * Parameters of pools 0xe0e8ac08de6708603cfd3d23b613d2f80e3b7afb on Ethereum, and 0x83952912178aa33c3853ee5d942c96254b235dcc and
 * 0xe7734b495a552ab6f4c78406e672cca7175181e1 on Sonic, as tests of kyberswap-dex-lib and of Balancer's SDK have them.
 */
const GENUINE: readonly (readonly bigint[])[] = [
  [
    ...[705_688_316_491_160_463n, 708_522_406_115_622_955n, 500n * ONE],
    ...[-74798712145497721414789338637153095764n, 66371324089360848501248857841320837382n],
    ...[83383678297259876539161659077817401265n, 55201106815163337488949515922664830840n],
    ...[79090559955836985090533912561030798620n, 60763830337203480831932978680724761109n],
    ...[-5585063777148738251815296884188865778n, 3975485570515915653508200992108476537n],
    100000000000000000082596734413730639400n,
  ],
  [
    ...[707_106_781_186_547_524n, 707_106_781_186_547_524n, 1_500n * ONE],
    ...[-83230629990868117604012997897930104612n, 55431599573918166324272656600021449671n],
    ...[35104649870455996992435049398685666214n, 93635802754462962644488421762760900350n],
    ...[59167639930662057231142175428841721269n, 74533701164190564399877279720804912886n],
    ...[19102101590272398138450701712686427826n, -24062990060206060278507341099864712753n],
    99999999999999999886624093342106115200n,
  ],
  [
    ...[791_285_002_436_294_737n, 611_447_499_724_541_381n, ONE],
    ...[-25385119577606970601054756051800520644n, 96724328397929935169889968923487603202n],
    ...[7984138065077215533782444860237401279n, 99680758119898872774769810063939314838n],
    ...[16145022441464826971736243356000128462n, 97829642998024046593675011328890269233n],
    ...[1430407134582051721445197790463086591n, -4491561050204635011840077147130502263n],
    100000000000000000006349449631528633000n,
  ],
];

test("what genuine pools were made with fits, though their points are as far off the circle as their turn", () => {
  for (const parameters of GENUINE) expect(ofEllipse(parameters)).toBeUndefined();
});

/** Places of the first and the last derived parameter. */
const [TAU_ALPHA_X, D_SQ] = [3, 11];

test("an ellipse is possible if all that is derived fits the rest, and in no other case", () => {
  const wrong = fc
    .tuple(fc.bigInt({ min: 10n ** 13n, max: 2n * 10n ** 38n }), fc.boolean())
    .map(([off, isLess]) => (isLess ? -off : off));
  const derived = fc.integer({ min: TAU_ALPHA_X, max: D_SQ });
  fc.assert(
    fc.property(ellipses, derived, wrong, (parameters, index, off) => {
      expect(ofEllipse(parameters)).toBeUndefined();
      expect(ofEllipse(parameters.with(index, parameters[index]! + off))).toBe("parameters of no pool");
    }),
    { numRuns: 1_000 },
  );
});

/** Parameters that fit each other, from points of the unit circle. */
function fitting([c, s]: readonly [bigint, bigint], [low, high]: readonly (readonly [bigint, bigint])[]) {
  const [ax, ay, bx, by] = [...low!, ...high!] as [bigint, bigint, bigint, bigint];
  const times = (a: bigint, b: bigint, tau: bigint) => (a * b * tau) / ONE ** 2n;
  return [
    ...[c, s, 50n * ONE, ax, ay, bx, by, times(s, c, bx - ax), times(s, s, by) + times(c, c, ay)],
    ...[times(s, c, by - ay), times(c, c, bx) + times(s, s, ax), (c * c + s * s) * 100n],
  ];
}

test("no ellipse is possible by points in the wrong order, of prices below zero, or of a turn that is none", () => {
  const turn = [(ONE * 6n) / 10n, (ONE * 8n) / 10n] as const;
  const point = (x: bigint, y: bigint) => [x * 10n ** 36n, y * 10n ** 36n] as const;
  const [left, right] = [point(-28n, 96n), point(28n, 96n)];
  expect(ofEllipse(fitting(turn, [left, right]))).toBeUndefined();
  for (const [turned, points] of [
    [turn, [right, left]],
    [turn, [left, left]],
    [turn, [point(-28n, -96n), point(28n, -96n)]],
    [turn, [point(-28n, -96n), right]],
    [turn, [point(-100n, 0n), right]],
    [
      [(ONE * 6n) / 10n, (ONE * 7n) / 10n],
      [left, right],
    ],
  ] as const)
    expect(ofEllipse(fitting(turned, points))).toBe("parameters of no pool");
  // At this stretch a price of zero is at x / y = -(s / c) lambda, and one without end at (c / s) lambda.
  const far = (x: bigint) => {
    const y = squareRoot(10n ** 76n - x * x);
    return [x, y] as const;
  };
  expect(ofEllipse(fitting(turn, [far(-(10n ** 38n - 10n ** 32n)), right]))).toBe("parameters of no pool");
  expect(ofEllipse(fitting(turn, [left, far(10n ** 38n - 10n ** 32n)]))).toBe("parameters of no pool");
});

/** Parameters that `impossibleGyro` lets pass, whether or not any pool was made with them. */
const oddParameters: Readonly<Record<GyroKind, fc.Arbitrary<readonly bigint[]>>> = {
  "2clp": fc
    .tuple(fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }), fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => (a < b ? [a, b] : [b, a])),
  "3clp": fc.bigInt({ min: 158_740_105_196_819_970n, max: 999_966_665_555_493_800n }).map((root) => [root]),
  eclp: ellipses,
};

test.each(KINDS)("%s: no state that a file may hold throws, however odd", (kind) => {
  const count = plain[kind].scales.length;
  const held = fc.bigInt({ min: 0n, max: 112n }).chain((bits) => fc.bigInt({ min: 0n, max: 1n << bits }));
  const balances = fc.array(held, { minLength: count, maxLength: count });
  fc.assert(
    fc.property(oddParameters[kind], balances, held, (parameters, held, amount) => {
      const state: GyroState = { ...plain[kind], balances: held, parameters };
      expect(impossibleGyro(state)).toBeUndefined();
      for (const direction of [there, back]) {
        gyroMath.quoteExactIn(state, direction, amount + 1n, 0n);
        gyroMath.quoteExactOut(state, direction, amount + 1n, 0n);
        gyroMath.spotPrice(state, direction, 0n);
        const curve = gyroMath.curve(state, direction, 0n);
        const sold = Math.min(Number(amount), curve?.maxSell ?? 0);
        for (const figure of curve === undefined ? [] : [curve.buyAmountFor(sold), curve.marginalRate(sold)])
          expect(figure).toBeLessThan(Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: 1_000 },
  );
});
