import fc from "fast-check";
import { expect, test } from "vitest";
import { pointCurve } from "../../../src/pools/float/point-curve.ts";
import type { PoolCurve } from "../../../src/pools/pool-math.ts";

/** A curve with formulas for everything, and how many of its points were worked out. */
interface Known {
  readonly curve: PoolCurve;
  readonly paid: (sold: number) => number;
  readonly rate: (sold: number) => number;
  /** Growth of the sold amount as the logarithm of the rate falls. */
  readonly slope: (sold: number) => number;
  readonly count: () => number;
}

function known(
  maxSell: number,
  paid: (sold: number) => number,
  rate: (sold: number) => number,
  slope: (sold: number) => number,
): Known {
  let count = 0;
  const curve = pointCurve({
    at(sold, point) {
      count++;
      point[0] = paid(sold);
      point[1] = rate(sold);
    },
    ...{ maxSell, gas: 1, concave: true },
  });
  return { curve, paid, rate, slope, count: () => count };
}

/** A rate that falls from one to nothing around `knee`, over some `width` of it. */
function withKnee(knee: number, width: number, maxSell: number): Known {
  const past = (sold: number) => Math.exp((sold - knee) / width);
  const rate = (sold: number) => 1 / (1 + past(sold));
  const paid = (sold: number) => sold - width * (Math.log1p(past(sold)) - Math.log1p(past(0)));
  return known(maxSell, paid, rate, (sold) => width / (1 - rate(sold)));
}

/** Two hyperbolas of one pool: as good as one but for a little that is sold first, as around a price that liquidity is kept at. */
function ofTwoDepths(little: number, part: number, maxSell: number): Known {
  const rate = (sold: number) => (1 - part) / (1 + sold) ** 2 + part / (1 + sold / little) ** 2;
  const paid = (sold: number) => ((1 - part) * sold) / (1 + sold) + (part * sold) / (1 + sold / little);
  const fall = (sold: number) =>
    (2 * (1 - part)) / (1 + sold) ** 3 + ((2 * part) / (1 + sold / little) ** 3) * (1 / little);
  return known(maxSell, paid, rate, (sold) => rate(sold) / fall(sold));
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const logarithmic = (low: number, high: number) => unit.map((part) => low * (high / low) ** part);
const curves = fc.oneof(
  fc.tuple(logarithmic(1e-3, 1), logarithmic(3e-3, 1)).map(([knee, width]) => withKnee(knee, width * knee, 4 * knee)),
  fc.tuple(logarithmic(1e-4, 1), logarithmic(1e-3, 0.5), logarithmic(1, 50)).map((of) => ofTwoDepths(...of)),
);
const parts = fc.array(logarithmic(1e-6, 1), { minLength: 12, maxLength: 12 });

test("the amount at a rate is right to a part in 10⁹ of the rate, what it buys to the last digits, its slope to a few percent", () => {
  const seen = { rates: 0, slope: 0 };
  fc.assert(
    fc.property(curves, parts, ({ curve, paid, rate, slope }, sales) => {
      const trade = new Float64Array(3);
      for (const part of sales) {
        const wanted = rate(part * curve.maxSell);
        if (!(wanted < rate(0)) || !(wanted > rate(curve.maxSell))) continue;
        curve.tradeAtRate?.(wanted, trade);
        const [sold, bought, grown] = trade as unknown as [number, number, number];
        expect(Math.abs(rate(sold) / wanted - 1)).toBeLessThan(1e-9);
        expect(Math.abs(bought - paid(sold))).toBeLessThan(1e-12 * bought + 1e-15 * curve.maxSell);
        seen.slope = Math.max(seen.slope, Math.abs(grown / slope(sold) - 1));
        expect(curve.sellAmountAtRate(wanted)).toBe(sold);
        seen.rates++;
      }
    }),
    { numRuns: 400, seed: 4_711 },
  );
  expect(seen.rates).toBeGreaterThan(2_500);
  expect(seen.slope).toBeLessThan(0.05);
});

test("an answer does not depend on what was asked for before", () => {
  fc.assert(
    fc.property(
      unit.map((part) => () => ofTwoDepths(1e-3 ** part, 0.2, 8)),
      parts,
      (make, sales) => {
        const [one, other] = [make(), make()];
        const rates = sales.map((part) => one.rate(part * 8));
        const forth = rates.map((rate) => one.curve.sellAmountAtRate(rate));
        const back = rates.toReversed().map((rate) => other.curve.sellAmountAtRate(rate));
        expect(back.toReversed()).toEqual(forth);
      },
    ),
    { numRuns: 100, seed: 4_712 },
  );
});

test("few points of a curve are worked out, and once it was asked around a rate three at most", () => {
  fc.assert(
    fc.property(curves, parts, ({ curve, rate, count }, sales) => {
      for (const part of sales) {
        const wanted = rate(part * curve.maxSell);
        const first = count();
        curve.sellAmountAtRate(wanted);
        const second = count();
        curve.sellAmountAtRate(wanted);
        expect(second - first).toBeLessThan(40);
        expect(count() - second).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: 200, seed: 4_713 },
  );
});

test("a curve whose rates rise in between, or fall below nothing, ends where they have fallen", () => {
  // Rises by a fifth from a half to one, and pays less for more from two on.
  const rate = (sold: number) => 1 - sold / 2 + 0.9 * Math.exp(-(((sold - 1) / 0.2) ** 2));
  const curve = pointCurve({
    at(sold, point) {
      point[0] = sold;
      point[1] = rate(sold);
    },
    ...{ maxSell: 3, gas: 1, concave: false },
  });
  for (const wanted of [0.99, 0.9, 0.7, 0.55, 0.3, 0.01]) {
    const sold = curve.sellAmountAtRate(wanted);
    expect(rate(sold) / wanted).toBeCloseTo(1, 9);
  }
  expect(curve.sellAmountAtRate(1.3)).toBe(0);
  expect(curve.sellAmountAtRate(-0.1)).toBe(3);
});

test("where a rate falls at once, the amount is the one at which it does", () => {
  const curve = pointCurve({
    at(sold, point) {
      point[0] = sold <= 1 ? sold : 1 + (sold - 1) / 2;
      point[1] = sold <= 1 ? 1 / (1 + sold / 100) : 0.5 / (1 + sold / 100);
    },
    ...{ maxSell: 3, gas: 1, concave: true },
  });
  expect(curve.sellAmountAtRate(0.7)).toBeCloseTo(1, 12);
  expect(curve.buyAmountFor(curve.sellAmountAtRate(0.7))).toBeCloseTo(1, 12);
});
