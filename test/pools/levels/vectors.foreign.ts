import { expect, test } from "vitest";
import { levelsMath } from "../../../src/pools/levels/math.ts";
import type { Level, LevelsState } from "../../../src/pools/levels/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { type VectorRecord, vectorsOf } from "../../support/suites/vectors.ts";

/** A book that tokenIn is sold to at `bids`; `scale` times finer than the vector's own amounts. */
interface Book {
  readonly state: LevelsState;
  readonly scale: bigint;
  /** The venue's own fee, in parts of 10^4, on what is paid (sold base) or on top of what is taken (sold quote). */
  readonly feeBps: bigint;
  readonly soldIsBase: boolean;
}

interface Lots {
  readonly p?: readonly string[];
  readonly s?: readonly string[];
}

const PICO = 10n ** 12n;
const records = vectorsOf("orderbook");

/** Other curves under the family's name, or rules of a venue of its own, which no book of a maker of ours has. */
const FOREIGN: Readonly<Record<string, string>> = {
  "kyber:axima": "its state is a function of the test that made it, and is not in the record",
  "kyber:carbon": "strategies of Carbon are curves, not levels",
  "kyber:limitorder TestPool_FilterAllowedSenders": "who may take an order; orders of ours are for one trader each",
  "kyber:lgl-clob TestPoolSimulator_CalcAmountOut_X_To_Y_FillAllWithRemainder": "its integration's safety buffer",
};

function foreign({ dex, source }: VectorRecord): string | undefined {
  return FOREIGN[dex] ?? FOREIGN[`${dex} ${source.test}`];
}

/** Orders one after another, the best first, each a level. */
function ofOrders(pool: unknown): Book {
  const { SellOrders } = (pool as { extra: { SellOrders: { TakingAmount: string; MakingAmount: string }[] } }).extra;
  const bids = SellOrders.map((order): Level => {
    return { takerAmount: BigInt(order.TakingAmount), makerAmount: BigInt(order.MakingAmount) };
  });
  return { state: { bids, asks: [] }, scale: 1n, feeBps: 0n, soldIsBase: true };
}

/** [size in tokens, rate], both floats, six decimals on both sides: taken as they are, to 10^-12 of a base unit. */
function ofRates(pool: unknown): Book {
  const [, levels] = (pool as { extra: { l: [null, [number, number][]] } }).extra.l;
  const exact = (value: number) => BigInt(Math.round(value * 2 ** 40)) * PICO;
  const bids = levels.flatMap(([size, rate]): Level[] => {
    const takerAmount = (exact(size) * 1_000_000n) >> 40n;
    const fraction = BigInt(Math.round(rate * 2 ** 53));
    return takerAmount === 0n ? [] : [{ takerAmount, makerAmount: (takerAmount * fraction) >> 53n }];
  });
  return { state: { bids, asks: [] }, scale: PICO, feeBps: 0n, soldIsBase: true };
}

/** Lots of a central book: prices and sizes in units of the book, fee apart. */
function ofLots(pool: unknown, tokenIn: string): Book {
  const { extra, staticExtra, tokens, swapFee } = pool as {
    extra: { b?: Lots; a?: Lots };
    staticExtra: { sX: string; sY: string };
    tokens: { address: string }[];
    swapFee: number;
  };
  const soldIsBase = tokens[0]?.address === tokenIn;
  const { p = [], s = [] } = (soldIsBase ? extra.b : extra.a) ?? {};
  const bids = p.map((price, i): Level => {
    const base = BigInt(s[i] as string) * BigInt(staticExtra.sX);
    const quote = BigInt(s[i] as string) * BigInt(price) * BigInt(staticExtra.sY);
    return soldIsBase ? { takerAmount: base, makerAmount: quote } : { takerAmount: quote, makerAmount: base };
  });
  return { state: { bids, asks: [] }, scale: 1n, feeBps: BigInt(Math.round(swapFee * 10_000)), soldIsBase };
}

function bookOf({ dex, pool }: VectorRecord, tokenIn: string): Book {
  if (dex === "kyber:limitorder") return ofOrders(pool);
  return dex === "kyber:order-book" ? ofRates(pool) : ofLots(pool, tokenIn);
}

const SELL = { sell: 0, buy: 1 };
const ceil = (a: bigint, b: bigint) => (a + b - 1n) / b;

test("another team's vectors of order books", () => {
  const seen = { equal: 0, refused: 0, foreign: 0 };
  for (const record of records) {
    for (const swap of record.swaps) {
      const what = `${record.dex} ${record.source.test} ${JSON.stringify(swap)}`;
      if (foreign(record) !== undefined) {
        seen.foreign++;
        continue;
      }
      const { state, scale, feeBps, soldIsBase } = bookOf(record, swap.tokenIn);
      if (swap.error !== undefined) {
        const asked = BigInt(swap.amountIn ?? swap.amountOut ?? 0) * scale;
        const quote =
          swap.kind === "exactIn"
            ? levelsMath.quoteExactIn(state, SELL, asked, 0n)
            : levelsMath.quoteExactOut(state, SELL, asked, 0n);
        expect(isRejection(quote), what).toBe(true);
        seen.refused++;
        continue;
      }
      const [amountIn, amountOut] = [BigInt(swap.amountIn as string), BigInt(swap.amountOut as string)];
      if (swap.kind === "exactIn") {
        const unused = BigInt((swap as { remainingAmountIn?: string }).remainingAmountIn ?? "0");
        const fee = soldIsBase ? 0n : BigInt(swap.fee ?? ceil(amountIn * feeBps, 10_000n + feeBps));
        const sold = (amountIn - unused - fee) * scale;
        const quote = levelsMath.quoteExactIn(state, SELL, sold, 0n);
        if (isRejection(quote)) throw new Error(`${quote.rejected}: ${what}`);
        const gross = quote.amount / scale;
        // The book of lots pays whole lots only; what a part of a lot would bring stays with who sells.
        const lot =
          soldIsBase || feeBps === 0n ? 1n : BigInt((record.pool as { staticExtra: { sX: string } }).staticExtra.sX);
        const paid = soldIsBase ? gross - ceil(gross * feeBps, 10_000n) : gross - (gross % lot);
        expect(paid, what).toBe(amountOut);
      } else {
        const gross = amountOut + BigInt(swap.fee ?? "0");
        const quote = levelsMath.quoteExactOut(state, SELL, gross * scale, 0n);
        if (isRejection(quote)) throw new Error(`${quote.rejected}: ${what}`);
        expect(quote.amount, what).toBe(amountIn);
      }
      seen.equal++;
    }
  }
  expect(seen).toEqual({ equal: 18, refused: 4, foreign: 15 });
});
