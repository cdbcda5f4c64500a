import fc from "fast-check";
import { expect, test } from "vitest";
import { hullOf, turnOf } from "../../../src/pools/float/hull.ts";

/** A hyperbola less a fee that falls up to a turn and rises behind it, as steep as it likes. */
function curveOf(depth: number, turn: number, width: number, low: number, high: number) {
  const at = (sold: number) => {
    const gross = (depth * sold) / (depth + sold);
    const grossRate = (depth / (depth + sold)) ** 2;
    const off = ((sold - turn) / width) ** 2;
    const fee = low + ((high - low) * off) / (1 + off);
    const feeRate = ((high - low) * 2 * (sold - turn)) / width ** 2 / (1 + off) ** 2;
    return { paid: gross * (1 - fee), rate: grossRate * (1 - fee) - gross * feeRate, gross, grossRate, keep: 1 - fee };
  };
  return { at, turn, maxSell: 4 * depth, gas: 1, error: 0 };
}

const curves = fc
  .record({
    depth: fc.double({ min: 1, max: 1e6, noNaN: true }),
    turn: fc.double({ min: -0.5, max: 1, noNaN: true }),
    width: fc.double({ min: 0.002, max: 2, noNaN: true }),
    low: fc.double({ min: 0, max: 0.003, noNaN: true }),
    high: fc.double({ min: 0.003, max: 0.05, noNaN: true }),
  })
  .map(({ depth, turn, width, low, high }) => curveOf(depth, Math.max(0, turn * depth), width * depth, low, high));

test("a hull is concave, nowhere below its curve, and touches it", () => {
  let touches = 0;
  let looks = 0;
  fc.assert(
    fc.property(
      curves,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }),
      (curve, parts) => {
        const hull = hullOf(curve);
        let nearest = 1;
        for (const part of parts) {
          const sold = curve.maxSell * 10 ** (-4 + 4 * part);
          const { paid } = curve.at(sold);
          const bound = hull.buyAmountFor(sold);
          expect(bound).toBeGreaterThanOrEqual(paid);
          nearest = Math.min(nearest, bound / paid - 1);
        }
        looks++;
        if (nearest < 2e-5) touches++;
        const sorted = parts.map((part) => part * curve.maxSell).sort((a, b) => a - b);
        const rates = sorted.map((sold) => hull.marginalRate(sold));
        expect(rates).toEqual([...rates].sort((a, b) => b - a));
        const rate = hull.marginalRate(curve.maxSell / 7);
        const end = hull.sellAmountAtRate(rate);
        expect(hull.marginalRate(end)).toBeLessThanOrEqual(rate);
        expect(hull.sellAmountAtRate(0)).toBe(curve.maxSell);
        expect(hull.sellAmountAtRate(hull.marginalRate(0) * 2)).toBe(0);
      },
    ),
    { numRuns: 300, seed: 8_080 },
  );
  expect(touches).toBe(looks);
});

test("where a fee turns is found", () => {
  expect(turnOf((sold) => sold < 0.3, 1)).toBeCloseTo(0.3, 8);
  expect(turnOf(() => false, 1)).toBe(0);
  expect(turnOf(() => true, 1)).toBe(1);
});
