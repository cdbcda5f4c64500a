import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { levelsMath } from "../../../src/pools/levels/math.ts";
import type { Level, LevelsState } from "../../../src/pools/levels/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const BID = { sell: 0, buy: 1 };
const ASK = { sell: 1, buy: 0 };
const ONE = 10n ** 18n;

/** Levels around a rate, each worse than the one before: the first pays `discount` parts in 10^6 less than the rate. */
function ladder(sizes: readonly bigint[], rate: { num: bigint; den: bigint }, discounts: readonly number[]): Level[] {
  let discount = 0n;
  return sizes.flatMap((takerAmount, index): Level[] => {
    discount += BigInt(discounts[index] as number);
    const makerAmount = (takerAmount * rate.num * (1_000_000n - discount)) / (rate.den * 1_000_000n);
    return makerAmount > 0n ? [{ takerAmount, makerAmount }] : [];
  });
}

/** Rounding can put two levels in the wrong order where amounts are tiny: such books are no makers'. */
function isOrdered(levels: readonly Level[]): boolean {
  return levels.every((level, i) => {
    const before = levels[i - 1];
    return before === undefined || level.makerAmount * before.takerAmount <= before.makerAmount * level.takerAmount;
  });
}

const sizes = fc.array(amountOfBits(100), { minLength: 0, maxLength: 6 });
const discounts = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 6, maxLength: 6 });
const states: fc.Arbitrary<LevelsState> = fc
  .record({
    bidSizes: sizes,
    askSizes: sizes,
    bid: discounts,
    ask: discounts,
    num: amountOfBits(60),
    den: amountOfBits(60),
  })
  .map(({ bidSizes, askSizes, bid, ask, num, den }) => ({
    bids: ladder(bidSizes, { num, den }, bid),
    asks: ladder(askSizes, { num: den, den: num }, ask),
  }))
  .filter(({ bids, asks }) => isOrdered(bids) && isOrdered(asks));

poolContract("a maker's ladder", {
  math: levelsMath,
  states,
  directions: [BID, ASK],
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
  tradable: 0.4,
});

/** Buys wrapped native at 2,000, 1,990 and 1,500 units of a token with 6 decimals. */
const BOOK: LevelsState = {
  bids: [
    { takerAmount: ONE, makerAmount: 2_000_000_000n },
    { takerAmount: 2n * ONE, makerAmount: 3_980_000_000n },
    { takerAmount: ONE, makerAmount: 1_500_000_000n },
  ],
  asks: [{ takerAmount: 2_010_000_000n, makerAmount: ONE }],
};

describe("a maker's ladder", () => {
  test("is walked level by level, the last one in part", () => {
    const quote = levelsMath.quoteExactIn(BOOK, BID, (5n * ONE) / 2n, 0n);
    expect(quote).toMatchObject({ amount: 2_000_000_000n + 2_985_000_000n });
    expect(levelsMath.quoteExactOut(BOOK, BID, 4_985_000_000n, 0n)).toMatchObject({ amount: (5n * ONE) / 2n });
  });

  test("is gone once it is taken, and what is left of a level is all that is left", () => {
    const quote = levelsMath.quoteExactIn(BOOK, BID, (3n * ONE) / 2n, 0n);
    if (isRejection(quote)) throw new Error(quote.rejected);
    expect(quote.next.bids).toEqual([
      { takerAmount: (3n * ONE) / 2n, makerAmount: 2_985_000_000n },
      { takerAmount: ONE, makerAmount: 1_500_000_000n },
    ]);
    expect(quote.next.asks).toEqual(BOOK.asks);
    const all = levelsMath.quoteExactIn(BOOK, BID, 4n * ONE, 0n);
    expect(isRejection(all) ? all : all.next.bids).toEqual([]);
  });

  test("trades nothing beyond its levels", () => {
    expect(levelsMath.quoteExactIn(BOOK, BID, 4n * ONE + 1n, 0n)).toEqual({ rejected: "TOO_LARGE", most: 4n * ONE });
    expect(levelsMath.quoteExactOut(BOOK, ASK, ONE + 1n, 0n)).toEqual({ rejected: "TOO_LARGE", most: ONE });
    expect(levelsMath.quoteExactIn({ ...BOOK, bids: [] }, BID, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(levelsMath.curve({ ...BOOK, bids: [] }, BID, 0n)).toBeUndefined();
  });

  test("two parts of a trade bring no more than the whole", () => {
    const cases = fc.record({ state: states, first: amountOfBits(90), second: amountOfBits(90) });
    let traded = 0;
    fc.assert(
      fc.property(cases, ({ state, first, second }) => {
        const one = levelsMath.quoteExactIn(state, BID, first, 0n);
        const whole = levelsMath.quoteExactIn(state, BID, first + second, 0n);
        if (isRejection(one) || isRejection(whole)) return;
        const two = levelsMath.quoteExactIn(one.next, BID, second, 0n);
        if (isRejection(two)) return;
        traded++;
        // The remainder of a level keeps what rounding held back: a wei at most.
        expect(one.amount + two.amount - whole.amount).toBeLessThanOrEqual(1n);
        expect(whole.amount - one.amount - two.amount).toBeLessThanOrEqual(1n);
      }),
      { numRuns: 500, seed: 77_003 },
    );
    expect(traded).toBeGreaterThan(100);
  });
});
