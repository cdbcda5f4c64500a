import fc from "fast-check";
import { expect, test } from "vitest";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from "../../src/math/tick-math.ts";

/** The contract itself is compared in test/pools/concentrated/exactness.test.ts; here are the scale's own properties. */

test("the ends and the middle of the scale are the contract's constants", () => {
  expect(sqrtRatioAtTick(MIN_TICK)).toBe(MIN_SQRT_RATIO);
  expect(sqrtRatioAtTick(MAX_TICK)).toBe(MAX_SQRT_RATIO);
  expect(sqrtRatioAtTick(0)).toBe(1n << 96n);
  expect(tickAtSqrtRatio(MIN_SQRT_RATIO)).toBe(MIN_TICK);
  expect(tickAtSqrtRatio(MAX_SQRT_RATIO - 1n)).toBe(MAX_TICK - 1);
});

test("what is no tick and no price is refused", () => {
  for (const tick of [MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN]) {
    expect(() => sqrtRatioAtTick(tick)).toThrow(RangeError);
  }
  expect(() => tickAtSqrtRatio(MIN_SQRT_RATIO - 1n)).toThrow(RangeError);
  expect(() => tickAtSqrtRatio(MAX_SQRT_RATIO)).toThrow(RangeError);
});

test("a tick's ratio is its own, one less belongs to the tick below", () => {
  const ticks = fc.integer({ min: MIN_TICK + 1, max: MAX_TICK - 1 });
  fc.assert(
    fc.property(ticks, (tick) => {
      const ratio = sqrtRatioAtTick(tick);
      expect(tickAtSqrtRatio(ratio)).toBe(tick);
      expect(tickAtSqrtRatio(ratio - 1n)).toBe(tick - 1);
      expect(sqrtRatioAtTick(tick + 1)).toBeGreaterThan(ratio);
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

test("the ratio is the square root of 1.0001 to the tick's power", () => {
  for (let tick = MIN_TICK; tick <= MAX_TICK; tick += 997) {
    const exact = 1.0001 ** (tick / 2);
    expect(Number(sqrtRatioAtTick(tick)) / 2 ** 96 / exact).toBeCloseTo(1, 9);
  }
});
