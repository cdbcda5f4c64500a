import fc from "fast-check";
import { expect, test } from "vitest";
import { feeOn, isPayable, mostBefore, mostWithin, shareOf } from "../../../src/pools/concentrated/hook-fee.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { ConcentratedState, SwapHook } from "../../../src/pools/concentrated/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { tooLarge } from "../../../src/pools/rejections.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";
import { ofConcentrated, states } from "./states.ts";

/** The most that a swap of Uniswap V4 counts. */
const MOST = (1n << 127n) - 1n;
const charges = fc.constantFrom<SwapHook["charges"]>("unspecified", "token0", "token1");
const part = fc.constantFrom(0, 1, 100, 10_000, 30_000, 100_000, 500_000);
const parts = fc.array(part, { maxLength: 3 }).filter((all) => shareOf(all) < 0.9);

const hooksOf = (of: fc.Arbitrary<readonly number[]>): fc.Arbitrary<SwapHook> =>
  fc.record({ charges, token0InPpm: of, token1InPpm: of, gas: fc.constantFrom(0, 70_000) });
const hookedBy = (hooks: fc.Arbitrary<SwapHook>): fc.Arbitrary<ConcentratedState> =>
  fc.tuple(states, hooks).map(([state, hook]) => ({ ...state, hook, mostMoved: MOST }));

poolContract("concentrated, with hooks that take a fee", {
  ...ofConcentrated,
  // Two parts that round down together may leave a base unit less of a larger amount.
  states: hookedBy(hooksOf(part.map((each) => [each]))),
  /** A fee that is put on an amount is less than the one that is taken off it, by its square. */
  exactOutShort: (state, direction) => {
    const { maxBuy } = concentratedMath.limits(state, direction, 0n);
    return maxBuy;
  },
  exactOutExtra: (state, direction, sellAmount) => 2n + ofConcentrated.exactOutExtra(state, direction, sellAmount),
  feeRounding: () => 2n,
  roundingOf: (state, direction, sellAmount) => 4 + 2 * ofConcentrated.roundingOf(state, direction, sellAmount),
});

test("the most that a fee leaves, or fits within, is the last amount for which that holds", () => {
  fc.assert(
    fc.property(amountOfBits(127), parts, (amount, own) => {
      const before = mostBefore(amount, own);
      expect(before - feeOn(before, own)).toBeLessThanOrEqual(amount);
      for (let more = before + 1n; more <= before + 4n; more++) expect(more - feeOn(more, own)).toBeGreaterThan(amount);
      const within = mostWithin(amount, own);
      expect(within + feeOn(within, own)).toBeLessThanOrEqual(amount);
      expect(within + 1n + feeOn(within + 1n, own)).toBeGreaterThan(amount);
    }),
    { seed: 31, numRuns: 2_000 },
  );
});

test("limits are the last amounts that are served, with several parts of a fee too", () => {
  let traded = 0;
  fc.assert(
    fc.property(hookedBy(hooksOf(parts)), fc.constantFrom(...directionsOf(2)), (state, direction) => {
      const { maxSell, maxBuy } = concentratedMath.limits(state, direction, 0n);
      const served = [
        [concentratedMath.quoteExactIn(state, direction, maxSell, 0n), maxSell],
        [concentratedMath.quoteExactOut(state, direction, maxBuy, 0n), maxBuy],
      ] as const;
      for (const [quote, most] of served) if (most > 0n && !isRejection(quote)) traded++;
      const sale = concentratedMath.quoteExactIn(state, direction, maxSell + 1n, 0n);
      const purchase = concentratedMath.quoteExactOut(state, direction, maxBuy + 1n, 0n);
      expect(sale).toEqual(tooLarge(maxSell));
      expect(purchase).toEqual(tooLarge(maxBuy));
    }),
    { seed: 32, numRuns: 300 },
  );
  expect(traded).toBeGreaterThan(300);
});

test("no purchase costs less than the ceiling of the float view says", () => {
  let cheaper = 0;
  fc.assert(
    fc.property(
      hookedBy(hooksOf(parts)),
      fc.constantFrom(...directionsOf(2)),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      (state, direction, at) => {
        const { maxBuy } = concentratedMath.limits(state, direction, 0n);
        const amount = BigInt(Math.floor(Number(maxBuy) * at));
        const quote = concentratedMath.quoteExactOut(state, direction, amount, 0n);
        const curve = concentratedMath.curve(state, direction, 0n);
        if (isRejection(quote) || curve?.ceiling === undefined || amount < 10n ** 15n) return;
        const most = curve.ceiling.buyAmountFor(Number(quote.amount) * (1 + 1e-9) + 4);
        expect(Number(amount)).toBeLessThanOrEqual(most * (1 + 1e-9) + 4);
        if (Number(amount) > curve.buyAmountFor(Number(quote.amount)) * (1 + 1e-6)) cheaper++;
      },
    ),
    { seed: 33, numRuns: 400 },
  );
  expect(cheaper).toBeGreaterThan(50);
});

test("hooks that take all of a swap are none", () => {
  const hook = { charges: "unspecified", token0InPpm: [500_000], token1InPpm: [], gas: 0 } as const;
  expect(isPayable(hook)).toBe(true);
  expect(isPayable({ ...hook, token1InPpm: [500_000, 500_000] })).toBe(false);
  expect(isPayable({ ...hook, token1InPpm: [-1] })).toBe(false);
});
