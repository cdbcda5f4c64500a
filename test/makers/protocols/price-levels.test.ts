import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { parseJson } from "../../../src/makers/guarded-request.ts";
import { faultOf } from "../../../src/makers/levels-message.ts";
import { bebop } from "../../../src/makers/protocols/bebop.ts";
import { hashflow } from "../../../src/makers/protocols/hashflow.ts";
import { MAX_TOLD, pairLevelsOf } from "../../../src/makers/protocols/price-levels.ts";

const [WETH, USDC, DUST] = ["a1", "b2", "c3"].map((byte) => toAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
];
const decimalsOf = (token: Address) => ({ [WETH]: 18, [USDC]: 6 })[token];
const levels = (...rows: readonly (readonly [string | number, string | number])[]) =>
  rows.map(([price, size]) => ({ price, size }));

describe("levels that are told as prices", () => {
  it("become amounts in base units, rounded for the maker", () => {
    const pair = { base: WETH, quote: USDC, bids: levels(["3000.1234567", "0.5"]), asks: levels([3001, 1e-18]) };
    expect(pairLevelsOf([pair], decimalsOf)).toEqual([
      {
        ...{ base: WETH, quote: USDC },
        state: {
          bids: [{ takerAmount: 5n * 10n ** 17n, makerAmount: 1_500_061_728n }],
          asks: [{ takerAmount: 1n, makerAmount: 1n }],
          settles: "elsewhere",
        },
      },
    ]);
  });

  it.each([
    ["an unknown token", { base: WETH, quote: DUST, bids: levels([1, 1]), asks: [] }],
    ["sides that cross", { base: WETH, quote: USDC, bids: levels([3001, 1]), asks: levels([3000, 1]) }],
    ["a token against itself", { base: WETH, quote: WETH, bids: levels([1, 1]), asks: [] }],
    [
      "nothing but what is no number",
      { base: WETH, quote: USDC, bids: levels(["NaN", 1], ["-1", 1], [0, 1]), asks: [] },
    ],
  ])("leave out %s, and keep the other pairs", (_, pair) => {
    const good = { base: USDC, quote: WETH, bids: levels(["0.0003", 10]), asks: [] };
    const read = pairLevelsOf([pair, good], decimalsOf);
    expect(read.map(({ base }) => base)).toEqual([USDC]);
  });

  it("never break a rule of levels, whatever is told", () => {
    const number = fc.oneof(
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.double(),
      fc.string({ maxLength: 6 }),
      fc.constantFrom("1e400", "0x10", "1.5e-7", ""),
    );
    const side = fc.array(fc.record({ price: number, size: number }), { maxLength: 60 });
    let seen = 0;
    fc.assert(
      fc.property(side, side, (bids, asks) => {
        for (const { state } of pairLevelsOf([{ base: WETH, quote: USDC, bids, asks }], decimalsOf)) {
          expect(faultOf(state)).toBeUndefined();
          seen += 1;
        }
      }),
      { numRuns: 1_000 },
    );
    expect(seen).toBeGreaterThan(20);
  });
});

it("levels of a few units are rounded for the maker on both sides", () => {
  const pair = { base: WETH, quote: USDC, bids: levels([1e12, 1.9e-18]), asks: levels([2e12, 1.9e-18]) };
  expect(pairLevelsOf([pair], decimalsOf).map(({ state }) => state)).toMatchObject([
    { bids: [{ takerAmount: 2n, makerAmount: 1n }], asks: [{ takerAmount: 4n, makerAmount: 1n }] },
  ]);
});

describe("messages of Bebop's", () => {
  const key = `${WETH}/${USDC}`;

  it("are read as JSON and as protobuf, and bytes of another form are none", () => {
    const json = Buffer.from(JSON.stringify({ [key]: { bids: [[3000, 1]], asks: [], last_update_ts: 1 } }));
    expect(bebop.readLevels?.(bebop.parse?.(json), { decimalsOf })).toHaveLength(1);
    for (const bytes of [Buffer.from("<html></html>"), Buffer.from([0x0a, 0xff, 0x01]), Buffer.from([0xff])]) {
      expect(bebop.parse?.(bytes)).toBeUndefined();
    }
    expect(() => bebop.readLevels?.(undefined, { decimalsOf })).toThrow("no pricing update");
  });

  it("cut short anywhere are none, or have fewer pairs", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const message = bebop.parse?.(Buffer.from(bytes));
        if (message !== undefined) bebop.readLevels?.(message, { decimalsOf });
      }),
      { numRuns: 500 },
    );
  });
});

describe("of a message with more than anyone trades", () => {
  const rows = <T>(count: number, row: T) => Array.from({ length: count }, () => row);
  const ladder = { pair: { baseToken: WETH, quoteToken: USDC }, levels: [{ q: "1", p: "3000" }] };
  const seen = (ladders: readonly unknown[]) =>
    hashflow.readLevels?.({ status: "success", levels: { one: ladders } }, { decimalsOf }).length;

  it("the first pairs are looked at", () => {
    expect(seen([...rows(MAX_TOLD.pairs - 1, {}), ladder])).toBe(1);
    expect(seen([...rows(MAX_TOLD.pairs, {}), ladder])).toBe(0);
    const pairs = Object.fromEntries(rows(MAX_TOLD.pairs, 0).map((_, i) => [`none${i}`, {}]));
    const good = { [`${WETH}/${USDC}`]: { bids: [[3000, 1]], asks: [] } };
    expect(bebop.readLevels?.({ ...pairs, ...good }, { decimalsOf })).toEqual([]);
    expect(bebop.readLevels?.({ ...good, ...pairs }, { decimalsOf })).toHaveLength(1);
  });

  it("the first levels are looked at", () => {
    const side = [...rows(MAX_TOLD.levels, [0, 0]), [3000, 1]];
    expect(bebop.readLevels?.({ [`${WETH}/${USDC}`]: { bids: side, asks: [] } }, { decimalsOf })).toEqual([]);
    expect(bebop.readLevels?.({ [`${WETH}/${USDC}`]: { bids: side.slice(1), asks: [] } }, { decimalsOf })).toHaveLength(
      1,
    );
  });

  it("protobuf of nothing but empty fields is no message", () => {
    expect(bebop.parse?.(Buffer.alloc(2 ** 12, Buffer.from([0x0a, 0])))).toEqual({ "0x/0x": { bids: [], asks: [] } });
    expect(bebop.parse?.(Buffer.alloc(2 ** 21, Buffer.from([0x0a, 0])))).toBeUndefined();
    const fields = Buffer.alloc(64, Buffer.from([0x0a, 0]));
    expect(bebop.parse?.(Buffer.concat([Buffer.from([0x0a, fields.length]), fields]))).toBeUndefined();
  });
});

it("whole numbers of JSON that a double does not hold come as their digits, and nothing else does", () => {
  const text =
    '{"a":12345678901234567890, "b":[-9007199254740993,9007199254740991],"c":0.12345678901234567890,"d":12345678901234567890.5,"e":12345678901234567890e2,"f":": 12345678901234567890 \\" ,12345678901234567890"}';
  expect(parseJson(text)).toEqual({
    ...JSON.parse(text),
    ...{ a: "12345678901234567890", b: ["-9007199254740993", 9_007_199_254_740_991] },
  });
  expect(parseJson("{12345678901234567890:1}")).toBeUndefined();
});

it("of several makers of Hashflow's for one way the one with the best price counts", () => {
  const ladder = (p: string) => ({ pair: { baseToken: WETH, quoteToken: USDC }, levels: [{ q: "1", p }] });
  const others = { none: [ladder("NaN")], most: [ladder("1e999")], two: [ladder("3000"), { pair: {} }] };
  const message = { status: "success", levels: { first: [ladder("no number")], one: [ladder("2999")], ...others } };
  const [pair] = hashflow.readLevels?.(message, { decimalsOf }) ?? [];
  expect(pair?.state.bids).toEqual([{ takerAmount: 10n ** 18n, makerAmount: 3_000_000_000n }]);
  expect(() => hashflow.readLevels?.({ status: "fail" }, { decimalsOf })).toThrow("no answer of Hashflow's");
});
