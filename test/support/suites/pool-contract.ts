import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Direction,
  isRejection,
  NARROW,
  type PoolCurve,
  type PoolMath,
  type PoolQuote,
  type Rejection,
  TRUSTED_DEPTHS,
} from "../../../src/pools/pool-math.ts";

/** Curve under test, with its states and tolerances. */
export interface PoolContractCase<S> {
  readonly math: PoolMath<S>;
  readonly states: fc.Arbitrary<S>;
  readonly directions: readonly Direction[];
  /** Wei that exact-out may ask for above the sale that gave the same output: routers' extra wei, rounding of steps. */
  readonly exactOutExtra: (state: S, direction: Direction, sellAmount: bigint) => bigint;
  /**
   * Wei that an exact output may pay less than an exact input asked, for venues that compute both in different ways and
   * round both; none if absent.
   */
  readonly exactOutShort?: (state: S, direction: Direction) => bigint;
  /** Whether less can be bought exactly than a sale can pay. */
  readonly exactOutEndsEarlier?: true;
  /** Sold wei that the pool's own rounding of its fee may leave out of account; none if absent. */
  readonly feeRounding?: (state: S, direction: Direction) => bigint;
  /** Wei that the way there and back may gain where a contract's own roundings are for its traders; none if absent. */
  readonly roundTripExtra?: (state: S, direction: Direction) => bigint;
  /** Largest error of the float view against the exact output of a sale: base units, on top of one part in 10⁹. */
  readonly roundingOf: (state: S, direction: Direction, sellAmount: bigint) => number;
  /** Whether a large trade may be better than a small one, as where the fee falls on the way to the peg. */
  readonly feeFalls?: true;
  /** A share of the random cases, at the least, must be tradable: else the generator proves nothing. */
  readonly tradable?: number;
}

const RUNS = { numRuns: 150, seed: 77_003 };
const TIME = 1_700_000_000n;
/** Position in the range from nothing to the most that can be sold: even in the logarithm. */
const position = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6);

/** The promises of PoolMath that hold for every curve. */
export function poolContract<S>(name: string, contract: PoolContractCase<S>): void {
  const { math, states, directions } = contract;
  const cases = fc.record({ state: states, direction: fc.constantFrom(...directions), at: position, at2: position });
  const back = ({ sell, buy }: Direction): Direction => ({ sell: buy, buy: sell });
  const mostSell = (state: S, direction: Direction) => math.limits(state, direction, TIME).maxSell;
  const sell = (state: S, direction: Direction, amount: bigint) => math.quoteExactIn(state, direction, amount, TIME);
  const buy = (state: S, direction: Direction, amount: bigint) => math.quoteExactOut(state, direction, amount, TIME);
  const buys = (state: S) => math.servesExactOut?.(state) ?? true;

  /** Runs `property` over random trades and asserts that enough of them were trades at all. */
  function overTrades(property: (trade: Trade<S>) => void): void {
    let all = 0;
    let traded = 0;
    fc.assert(
      fc.property(cases, ({ state, direction, at, at2 }) => {
        all++;
        const most = mostSell(state, direction);
        const amount = amountAt(at, most);
        const quote = sell(state, direction, amount);
        if (isRejection(quote)) return;
        traded++;
        property({ state, direction, amount, quote, other: amountAt(at2, most) });
      }),
      RUNS,
    );
    expect(traded / all).toBeGreaterThan(contract.tradable ?? 0.5);
  }

  describe(`${name} keeps the contract of PoolMath`, () => {
    test("more in is never less out", () => {
      overTrades(({ state, direction, amount, quote, other }) => {
        const second = sell(state, direction, other);
        if (isRejection(second)) return;
        if (other >= amount) expect(second.amount).toBeGreaterThanOrEqual(quote.amount);
        if (other <= amount) expect(second.amount).toBeLessThanOrEqual(quote.amount);
      });
    });

    test("more out is never less in", () => {
      overTrades(({ state, direction, quote, other }) => {
        const more = quote.amount + other;
        const first = buy(state, direction, quote.amount);
        const second = buy(state, direction, more);
        if (isRejection(first) || isRejection(second)) return;
        expect(second.amount).toBeGreaterThanOrEqual(first.amount);
      });
    });

    test("exact-out asks for no more than exact-in took, and what it asks for buys it", () => {
      overTrades(({ state, direction, amount, quote }) => {
        const inverse = buy(state, direction, quote.amount);
        if (!buys(state)) {
          expect(inverse).toEqual({ rejected: "UNSUPPORTED" });
          return;
        }
        if (isRejection(inverse)) {
          // Only the last wei of a full pool may be out of reach.
          if (contract.exactOutEndsEarlier) expect(inverse.most).toBeLessThan(quote.amount);
          else expect(inverse.most).toBe(quote.amount - 1n);
          return;
        }
        expect(inverse.amount).toBeLessThanOrEqual(amount + contract.exactOutExtra(state, direction, amount));
        const again = sell(state, direction, inverse.amount);
        const least = quote.amount - (contract.exactOutShort?.(state, direction) ?? 0n);
        if (contract.exactOutShort !== undefined && inverse.amount > mostSell(state, direction)) return;
        if (isRejection(again)) expect(least > 0n ? again.rejected : "TOO_SMALL").toBe("TOO_SMALL");
        expect((isRejection(again) ? 0n : again.amount) >= least).toBe(true);
      });
    });

    test("going there and back never pays", () => {
      overTrades(({ state, direction, amount, quote }) => {
        const home = sell(quote.next, back(direction), quote.amount);
        const extra = contract.roundTripExtra?.(state, direction) ?? 0n;
        if (!isRejection(home)) expect(home.amount).toBeLessThanOrEqual(amount + extra);
      });
    });

    test("limits are the last amounts that are served", () => {
      fc.assert(
        fc.property(cases, ({ state, direction }) => {
          const { maxSell, maxBuy } = math.limits(state, direction, TIME);
          if (maxSell > 0n) expect(served(sell(state, direction, maxSell))).toMatch(/^(yes|TOO_SMALL)$/);
          expect(served(sell(state, direction, maxSell + 1n))).toMatch(/^(TOO_LARGE|NO_LIQUIDITY)$/);
          const above = sell(state, direction, maxSell + 1n);
          if (isRejection(above) && above.rejected === "TOO_LARGE") expect(above.most).toBe(maxSell);
          if (!buys(state)) return;
          if (maxBuy > 0n) expect(served(buy(state, direction, maxBuy))).toBe("yes");
          expect(served(buy(state, direction, maxBuy + 1n))).toMatch(/^(TOO_LARGE|NO_LIQUIDITY)$/);
          const beyond = buy(state, direction, maxBuy + 1n);
          if (isRejection(beyond) && beyond.rejected === "TOO_LARGE") expect(beyond.most).toBe(maxBuy);
        }),
        RUNS,
      );
    });

    test("what cannot be done is rejected, not thrown", () => {
      const amounts = fc.constantFrom(-1n, 0n, 1n, (1n << 255n) - 1n, 1n << 255n, (1n << 256n) - 1n, 1n << 300n);
      const any = fc.record({ sell: fc.integer({ min: -1, max: 9 }), buy: fc.integer({ min: -1, max: 9 }) });
      fc.assert(
        fc.property(states, any, amounts, (state, direction, amount) => {
          const known = directions.some((each) => each.sell === direction.sell && each.buy === direction.buy);
          for (const quote of [sell(state, direction, amount), buy(state, direction, amount)]) {
            if (!isRejection(quote)) expect(known && amount > 0n).toBe(true);
            else if (known && amount <= 0n) expect(quote.rejected).toBe("TOO_SMALL");
            else if (!known) expect(quote.rejected).toBe("UNSUPPORTED");
          }
          if (known) return;
          expect(math.spotPrice(state, direction, TIME)).toBeUndefined();
          expect(math.limits(state, direction, TIME)).toEqual({ maxSell: 0n, maxBuy: 0n });
          expect(math.curve(state, direction, TIME)).toBeUndefined();
        }),
        RUNS,
      );
    });

    test("nothing is changed, and the same question has the same answer", () => {
      overTrades(({ state, direction, amount, quote }) => {
        freeze(state);
        expect(sell(state, direction, amount)).toEqual(quote);
        buy(state, direction, quote.amount);
        math.spotPrice(state, direction, TIME);
        math.limits(state, direction, TIME);
        math.curve(state, direction, TIME)?.buyAmountFor(Number(amount));
        expect(sell(state, direction, amount)).toEqual(quote);
      });
    });

    test.skipIf(contract.feeFalls)("no trade is better than the spot price", () => {
      overTrades(({ state, direction, amount, quote }) => {
        const spot = math.spotPrice(state, direction, TIME);
        if (spot === undefined) throw new Error("a pool that trades has no spot price");
        expect(quote.amount * spot.den).toBeLessThanOrEqual(
          (amount + (contract.feeRounding?.(state, direction) ?? 0n)) * spot.num,
        );
      });
    });

    test("the float view is the same curve", () => {
      overTrades(({ state, direction, amount, quote, other }) => {
        const curve = math.curve(state, direction, TIME);
        if (curve === undefined) throw new Error("a pool that trades has no curve");
        const sold = Number(amount);
        const error = Math.abs(curve.buyAmountFor(sold) - Number(quote.amount));
        expect(error).toBeLessThanOrEqual(Number(quote.amount) * 1e-9 + contract.roundingOf(state, direction, amount));

        const rate = curve.marginalRate(sold);
        const otherRate = curve.marginalRate(Number(other));
        if (curve.concave) expect(other > amount ? otherRate <= rate * near : otherRate * near >= rate).toBe(true);
        const found = curve.marginalRate(curve.sellAmountAtRate(rate)) / rate;
        if (curve.concave) expect(found).toBeCloseTo(1, 8);
        else expect(found).toBeLessThanOrEqual(near);
        if (curve.ceiling !== undefined) {
          expect(curve.ceiling.concave).toBe(true);
          // Both may end at one place, where they are equal but for the last digits of a double.
          expect(curve.ceiling.buyAmountFor(sold) * near).toBeGreaterThanOrEqual(curve.buyAmountFor(sold));
        }
        expect(curve.marginalRate(curve.sellAmountAtRate(rate * 0.999))).toBeLessThanOrEqual(rate * near);
        expect(curve.sellAmountAtRate(curve.marginalRate(0) * 2)).toBe(0);
        expect(curve.sellAmountAtRate(0)).toBe(curve.maxSell);
        const spot = math.spotPrice(state, direction, TIME);
        if (spot !== undefined) expect(curve.marginalRate(0) / ratio(spot.num, spot.den)).toBeCloseTo(1, 8);
        const outline = math.outline?.(state, direction);
        if (outline !== undefined) {
          expect(curve.marginalRate(0) / outline.spot).toBeCloseTo(1, 8);
          expect(curve.sellAmountAtRate(outline.spot * NARROW) / outline.width).toBeCloseTo(1, 8);
          expect(outline.gas).toBe(curve.gas);
          const depths = sold / outline.depth;
          if (depths <= TRUSTED_DEPTHS)
            expect(curve.buyAmountFor(sold) / ((outline.spot * sold) / (1 + depths))).toBeCloseTo(1, 8);
          if (outline.depth > 0) expect(outline.deepest).toBe(outline.depth);
          const mostPaid = (outline.spot * sold) / (1 + sold / outline.deepest);
          if (!(depths > TRUSTED_DEPTHS)) expect(curve.buyAmountFor(sold)).toBeLessThanOrEqual(mostPaid * near);
        }
        const { maxSell } = math.limits(state, direction, TIME);
        if (Number.isFinite(curve.maxSell)) expect(curve.maxSell / Number(maxSell)).toBeLessThanOrEqual(near);
        const { toBuy } = curve;
        if (toBuy !== undefined) {
          const { maxBuy } = math.limits(state, direction, TIME);
          expect(Math.abs(toBuy.buyAmountFor(toBuy.maxSell) - Number(maxBuy))).toBeLessThanOrEqual(
            Number(maxBuy) * 1e-9 + contract.roundingOf(state, direction, amount),
          );
          expect(toBuy.marginalRate(0)).toBe(curve.marginalRate(0));
          const both = Math.min(sold, toBuy.maxSell);
          expect(toBuy.buyAmountFor(both)).toBe(curve.buyAmountFor(both));
          // Exact outputs that end earlier end at the most that is given at once.
          const [brings, most] = [curve.buyAmountFor(sold), Number(maxBuy) * (1 - 1e-9)];
          const bound = (toBuy.ceiling ?? toBuy).buyAmountFor(sold);
          expect(bound).toBeGreaterThanOrEqual(brings <= most ? brings : most - 1);
        }
        expect(curve.gas).toBeLessThanOrEqual(Number(quote.gas));
        const inverse = buy(state, direction, quote.amount);
        if (!isRejection(inverse) && curve.gasFor === undefined)
          expect(Number(inverse.gas)).toBe(curve.gasToBuy ?? Number(quote.gas));
      });
    });

    test("what the float view trades at a rate earns the most there, as far as certificates count", () => {
      overTrades(({ state, direction, amount, other }) => {
        const real = math.curve(state, direction, TIME);
        const curve = real?.ceiling ?? real;
        if (real === undefined || curve === undefined || !curve.concave) return;
        const rate = curve.marginalRate(Number(amount));
        const [sold, bought] = tradeAt(curve, rate);
        for (const amountSold of [Number(amount), Number(other), curve.maxSell]) {
          const paid = real.buyAmountFor(amountSold);
          const more = paid - rate * amountSold - (bought - rate * sold);
          expect(more).toBeLessThanOrEqual(1e-10 * Math.max(paid, bought));
        }
      });
    });
  });
}

/** Amounts sold and bought once the marginal rate has fallen to `rate`. */
function tradeAt(curve: PoolCurve, rate: number): readonly [sold: number, bought: number] {
  const trade = new Float64Array(3);
  if (curve.tradeAtRate !== undefined) {
    curve.tradeAtRate(rate, trade);
    return [trade[0] as number, trade[1] as number];
  }
  const sold = Math.min(curve.sellAmountAtRate(rate), curve.maxSell);
  return [sold, curve.buyAmountFor(sold)];
}

interface Trade<S> {
  readonly state: S;
  readonly direction: Direction;
  readonly amount: bigint;
  readonly quote: PoolQuote<S>;
  /** Another amount within the limits. */
  readonly other: bigint;
}

/** One with room for the last digits of a double. */
const near = 1 + 1e-9;

function amountAt(at: number, most: bigint): bigint {
  const amount = BigInt(Math.floor(2 ** (at * Math.log2(Math.max(2, Number(most))))));
  return amount > most ? most : amount;
}

function served<S>(answer: PoolQuote<S> | Rejection): string {
  return isRejection(answer) ? answer.rejected : "yes";
}

function ratio(num: bigint, den: bigint): number {
  const shift = BigInt(Math.max(0, den.toString(2).length - 1000, num.toString(2).length - 1000));
  return Number(num >> shift) / Number(den >> shift);
}

function freeze(value: unknown): void {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const child of Object.values(value)) freeze(child);
}
