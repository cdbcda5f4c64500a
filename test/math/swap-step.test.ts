import fc from "fast-check";
import { expect, test } from "vitest";
import { amount0Delta, amount1Delta, sqrtPriceAfterInput } from "../../src/math/sqrt-price-math.ts";
import { swapStep } from "../../src/math/swap-step.ts";

const prices = fc.bigInt({ min: 1n << 40n, max: 1n << 150n });
const liquidities = fc.bigInt({ min: 1n, max: (1n << 120n) - 1n });
const amounts = fc.bigInt({ min: 1n, max: 1n << 140n });
const fees = fc.constantFrom(0n, 100n, 500n, 3000n, 10000n, 999_999n);

test("a step never takes more, gives more, or goes further than it may", () => {
  let whole = 0;
  fc.assert(
    fc.property(
      prices,
      prices,
      liquidities,
      amounts,
      fees,
      fc.boolean(),
      (from, to, liquidity, amount, fee, exactIn) => {
        const step = swapStep(from, to, liquidity, amount, fee, exactIn);
        const [low, high] = from < to ? [from, to] : [to, from];
        expect(step.sqrtPrice >= low && step.sqrtPrice <= high).toBe(true);
        if (exactIn) expect(step.amountIn + step.feeAmount).toBeLessThanOrEqual(amount);
        else expect(step.amountOut).toBeLessThanOrEqual(amount);
        if (step.sqrtPrice === to) whole++;
        else expect(exactIn ? step.amountIn + step.feeAmount : step.amountOut).toBe(amount);
      },
    ),
    { seed: 3, numRuns: 2_000 },
  );
  expect(whole).toBeGreaterThan(200);
  expect(whole).toBeLessThan(1_800);
});

test("amounts are rounded for the pool: at most a unit more is taken than is given", () => {
  fc.assert(
    fc.property(prices, prices, liquidities, (a, b, liquidity) => {
      const rounded0 = amount0Delta(a, b, liquidity, true) - amount0Delta(a, b, liquidity, false);
      const rounded1 = amount1Delta(a, b, liquidity, true) - amount1Delta(a, b, liquidity, false);
      expect(rounded0 === 0n || rounded0 === 1n).toBe(true);
      expect(rounded1 === 0n || rounded1 === 1n).toBe(true);
    }),
    { seed: 4, numRuns: 1_000 },
  );
});

/** Above 256 bits SqrtPriceMath divides first; both ways round against the seller. */
test("an input whose product overflows takes the contract's coarser formula", () => {
  const sqrtPrice = 1n << 150n;
  const liquidity = 1_000_003n;
  const amount = 1n << 107n;
  const exact = (liquidity << 96n) * sqrtPrice;
  const fine = (exact + (liquidity << 96n) + amount * sqrtPrice - 1n) / ((liquidity << 96n) + amount * sqrtPrice);
  const coarse = sqrtPriceAfterInput(sqrtPrice, liquidity, amount, true);
  expect(amount * sqrtPrice >= 1n << 256n).toBe(true);
  expect(coarse).toBeGreaterThanOrEqual(fine);
  expect(coarse).toBe(
    ((liquidity << 96n) + amount - 1n + (liquidity << 96n) / sqrtPrice) / (amount + (liquidity << 96n) / sqrtPrice),
  );
});
