import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NATIVE_TOKEN, ZERO_ADDRESS } from "../../src/domain/address.ts";
import { type PairLevels, readLevels } from "../../src/makers/levels-message.ts";
import { levelsMath } from "../../src/pools/levels/math.ts";
import { isRejection } from "../../src/pools/pool-math.ts";

const BASE = `0x${"aB".repeat(20)}`;
const QUOTE = `0x${"12".repeat(20)}`;
const pair = { base: BASE, quote: QUOTE, bids: [["100", "200"]], asks: [["100", "201"]] };
const message = (change: object = {}, pairs: readonly unknown[] = [pair]) => ({
  type: "levels",
  chainId: 1,
  pairs,
  ...change,
});
const withPair = (change: object) => message({}, [{ ...pair, ...change }]);

describe("a message of levels", () => {
  it("is read as a whole", () => {
    const [read] = readLevels(
      withPair({
        bids: [
          ["100", "200"],
          ["50", "99"],
        ],
      }),
      1,
    );
    expect(read).toEqual({
      base: BASE.toLowerCase(),
      quote: QUOTE,
      state: {
        bids: [
          { takerAmount: 100n, makerAmount: 200n },
          { takerAmount: 50n, makerAmount: 99n },
        ],
        asks: [{ takerAmount: 201n, makerAmount: 100n }],
      },
    } satisfies Record<keyof PairLevels, unknown>);
    expect(readLevels(message({}, []), 1)).toEqual([]);
  });

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["is no object", "levels", /object/],
    ["is of another kind", message({ type: "trades" }), /type/],
    ["is of another chain", message({ chainId: 2 }), /chainId is 2 instead of 1/],
    ["trades the native token as such", withPair({ base: NATIVE_TOKEN.toUpperCase().replace("0X", "0x") }), /wrapped/],
    ["trades no token", withPair({ quote: ZERO_ADDRESS }), /token/],
    ["has amounts as numbers", withPair({ bids: [[100, 200]] }), /bids/],
    ["has a negative amount", withPair({ bids: [["100", "-200"]] }), /bids/],
    ["has a zero", withPair({ bids: [["0", "200"]] }), /bids/],
    ["has leading zeros", withPair({ bids: [["0100", "200"]] }), /bids/],
    ["has a fraction", withPair({ bids: [["100", "1.5"]] }), /bids/],
    ["has an exponent", withPair({ bids: [["100", "1e3"]] }), /bids/],
    ["has too large an amount", withPair({ bids: [["1", String(1n << 128n)]] }), /bids/],
    [
      "has too large a sum",
      withPair({
        asks: [],
        bids: [
          ["1", String(1n << 127n)],
          ["1", String(1n << 127n)],
          ["9", "1"],
        ],
      }),
      /2\^128/,
    ],
    [
      "has levels out of order",
      withPair({
        bids: [
          ["100", "199"],
          ["100", "200"],
        ],
      }),
      /bids are not in order/,
    ],
    [
      "has asks out of order",
      withPair({
        asks: [
          ["100", "202"],
          ["100", "201"],
        ],
      }),
      /asks are not in order/,
    ],
    ["crosses itself", withPair({ bids: [["100", "202"]] }), /bids are above asks/],
    ["has 51 levels", withPair({ bids: Array(51).fill(["100", "200"]) }), /bids/],
    ["names a pair twice", message({}, [pair, { ...pair, base: QUOTE, quote: BASE }]), /named twice/],
    ["trades a token against itself", withPair({ quote: BASE.toLowerCase() }), /against itself/],
    ["names no address", withPair({ base: "WETH" }), /base must be an address/],
    ["has too many pairs", message({}, Array(1_001).fill(pair)), /pairs/],
  ];
  for (const [what, broken, reason] of wrong) {
    it(`that ${what} is not used`, () => {
      expect(() => readLevels(broken, 1)).toThrow(reason);
    });
  }

  it("that is anything else is refused with an Error, whatever it is", () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(() => readLevels(anything, 1)).toThrow(Error);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it("that is read trades no money out of nothing", () => {
    const amount = fc.bigInt({ min: 1n, max: 1n << 70n });
    const side = fc.array(fc.tuple(amount, amount), { maxLength: 4 });
    let read = 0;
    fc.assert(
      fc.property(side, side, amount, (bids, asks, sold) => {
        const texts = (levels: [bigint, bigint][]) => levels.map((level) => level.map(String));
        const better = (a: [bigint, bigint], b: [bigint, bigint]) => (a[1] * b[0] > b[1] * a[0] ? -1 : 1);
        bids.sort(better);
        asks.sort((a, b) => better(b, a));
        let state: PairLevels["state"];
        try {
          state = readLevels(withPair({ bids: texts(bids), asks: texts(asks) }), 1)[0]!.state;
        } catch {
          return;
        }
        read++;
        const there = levelsMath.quoteExactIn(state, { sell: 0, buy: 1 }, sold, 0n);
        if (isRejection(there)) return;
        const back = levelsMath.quoteExactIn(there.next, { sell: 1, buy: 0 }, there.amount, 0n);
        if (!isRejection(back)) expect(back.amount).toBeLessThanOrEqual(sold);
      }),
      { numRuns: 500, seed: 6 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
