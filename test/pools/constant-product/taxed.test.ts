import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taxOn } from "../../../src/domain/token-verdict.ts";
import { constantProductMath } from "../../../src/pools/constant-product/math.ts";
import type { TaxedState } from "../../../src/pools/constant-product/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";

const rate = fc.record({ ppm: fc.bigInt(0n, 500_000n), roundsUp: fc.boolean() });
const tax = fc.record({ buy: rate, sell: rate, transfer: rate });
const reserve = fc.bigInt(10n ** 6n, 10n ** 30n);
const state: fc.Arbitrary<TaxedState> = fc.record({
  reserves: fc.tuple(reserve, reserve),
  feeNum: fc.constantFrom(2n, 3n, 25n),
  feeDen: fc.constant(1_000n),
  taxes: fc.tuple(tax, tax),
});
const direction = fc.constantFrom({ sell: 0, buy: 1 } as const, { sell: 1, buy: 0 } as const);
/** So much that a base unit of it is less than a part per million. */
const large = fc.bigInt(10n ** 9n, 10n ** 32n);
const sold = fc.bigInt(1n, 10n ** 32n);

describe("a pair of taxed tokens", () => {
  it("asks for no more than the pair's own check of k lets out for what arrives", () => {
    fc.assert(
      fc.property(state, direction, sold, (pair, way, sellAmount) => {
        const quote = constantProductMath.quoteExactIn(pair, way, sellAmount, 0n);
        if (isRejection(quote)) return;
        const arrives = sellAmount - taxOn(sellAmount, pair.taxes[way.sell].sell);
        const [into, out] = [pair.reserves[way.sell], pair.reserves[way.buy]];
        const paid = out - quote.next.reserves[way.buy];
        // UniswapV2Pair.swap with its fee.
        const balance = (into + arrives) * pair.feeDen - arrives * pair.feeNum;
        expect(balance * (out - paid) >= into * out * pair.feeDen).toBe(true);
        expect(quote.amount).toBe(paid - taxOn(paid, pair.taxes[way.buy].buy));
        expect(quote.next.reserves[way.sell]).toBe(into + arrives);
      }),
      { numRuns: 500 },
    );
  });

  it("pays within a part per million of all that it could", () => {
    fc.assert(
      fc.property(state, direction, large, (pair, way, sellAmount) => {
        const quote = constantProductMath.quoteExactIn(pair, way, sellAmount, 0n);
        if (isRejection(quote)) return;
        const { taxes: _, ...plain } = pair;
        const arrives = sellAmount - taxOn(sellAmount, pair.taxes[way.sell].sell);
        const best = constantProductMath.quoteExactIn(plain, way, arrives, 0n);
        if (isRejection(best)) return;
        const most = best.amount - taxOn(best.amount, pair.taxes[way.buy].buy);
        expect(quote.amount <= most).toBe(true);
        // At least 0.4985 of the amount is kept: one part per million is lost, and one more if a tax is rounded up.
        expect(quote.amount * 1_000_000n >= most * (1_000_000n - 5n) - 2_000_000n).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("is the float view of its integers, and says what it takes at most", () => {
    fc.assert(
      fc.property(state, direction, sold, (pair, way, sellAmount) => {
        const quote = constantProductMath.quoteExactIn(pair, way, sellAmount, 0n);
        const curve = constantProductMath.curve(pair, way, 0n);
        const { maxSell, maxBuy } = constantProductMath.limits(pair, way, 0n);
        if (isRejection(quote) || curve === undefined) return;
        expect(sellAmount <= maxSell && quote.amount <= maxBuy).toBe(true);
        const near = curve.buyAmountFor(Number(sellAmount));
        expect(Math.abs(near - Number(quote.amount))).toBeLessThanOrEqual(2 + near * 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it("serves no exact output", () => {
    fc.assert(
      fc.property(state, direction, (pair, way) => {
        expect(constantProductMath.servesExactOut?.(pair)).toBe(false);
        expect(constantProductMath.quoteExactOut(pair, way, 1_000n, 0n)).toMatchObject({ rejected: "UNSUPPORTED" });
      }),
      { numRuns: 20 },
    );
  });
});
