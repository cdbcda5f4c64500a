import { USDC, WETH } from "../../../../fixtures/door/fake-quoting.ts";
import { MAX_PRICES } from "../../../../src/api/parameters/price-lists.ts";
import { cursorOf } from "../../../../src/api/parameters/tokens-request.ts";
import { NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import { placeOf } from "../../../../src/quoting/tokens/token-ranking.ts";
import { addresses, type ParameterTable, WRONG_CHECKSUM, ZERO } from "./row.ts";
import { VALID } from "./swap.ts";

const PAIR = { sellToken: WETH.address, buyToken: USDC.address };
const many = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));

/** Amounts of a ladder; `amounts`: those of its entries. */
export const LADDER: ParameterTable = {
  good: [
    [
      "amounts in any order, doubled",
      { ...PAIR, sellAmounts: ["1000", " 10 ", "1000"] },
      { amounts: ["1000", "10", "1000"] },
    ],
    ["amounts to buy", { ...PAIR, buyAmounts: ["8", "2"] }, { amounts: ["8", "2"] }],
  ],
  edge: [
    ["one amount", { ...PAIR, sellAmounts: ["1"] }, { amounts: ["1"] }],
    ["as many as may be", { ...PAIR, sellAmounts: many(MAX_PRICES) }, { amounts: many(MAX_PRICES) }],
    ["as many to buy", { ...PAIR, buyAmounts: many(MAX_PRICES) }, { amounts: many(MAX_PRICES) }],
  ],
  bad: [
    ["no amounts", PAIR, ["sellAmounts", "REQUIRED"], ["buyAmounts", "REQUIRED"]],
    [
      "amounts of both",
      { ...PAIR, sellAmounts: ["1"], buyAmounts: ["1"] },
      ["sellAmounts", "CONFLICT"],
      ["buyAmounts", "CONFLICT"],
    ],
    ["too many", { ...PAIR, sellAmounts: many(MAX_PRICES + 1) }, ["sellAmounts", "OUT_OF_RANGE", /at most 32/]],
    ["nothing among amounts", { ...PAIR, sellAmounts: ["1", "0"] }, ["sellAmounts[1]", "OUT_OF_RANGE", /is 0/]],
    ["an empty amount", { ...PAIR, sellAmounts: ["1", "", "3"] }, ["sellAmounts[1]", "INVALID_INTEGER", /empty/]],
    ["a decimal point", { ...PAIR, buyAmounts: ["1.5"] }, ["buyAmounts[0]", "INVALID_INTEGER", /base units/]],
    ["a sign", { ...PAIR, buyAmounts: ["-1"] }, ["buyAmounts[0]", "INVALID_INTEGER"]],
    ["2^256", { ...PAIR, sellAmounts: [String(1n << 256n)] }, ["sellAmounts[0]", "OUT_OF_RANGE"]],
    ["no pair", { sellAmounts: ["1"] }, ["sellToken", "REQUIRED"], ["buyToken", "REQUIRED"]],
    [
      "amounts, a fraction and a limit that are none",
      { ...PAIR, sellAmounts: ["x", "1", "y"], slippagePercentage: "2", maxHops: "0" },
      ["slippagePercentage", "OUT_OF_RANGE"],
      ["maxHops", "OUT_OF_RANGE"],
      ["sellAmounts[0]", "INVALID_INTEGER"],
      ["sellAmounts[2]", "INVALID_INTEGER"],
    ],
  ],
};

/** Requests of a batch; `amounts`: what the prices buy. */
export const BATCH: ParameterTable = {
  good: [
    ["two requests", { requests: [VALID, { ...VALID, sellAmount: "5" }] }, { amounts: ["2000", "10"] }],
    ["a block for all", { requests: [VALID], blockNumber: "92" }, { amounts: ["2000"], block: 92n }],
  ],
  edge: [
    ["an empty request among others", { requests: [{}, VALID] }, { amounts: [undefined, "2000"] }],
    ["as many as may be", { requests: many(MAX_PRICES).map(() => VALID) }, { amounts: many(32).map(() => "2000") }],
    ["the oldest block", { requests: [VALID], blockNumber: "90" }, { amounts: ["2000"], block: 90n }],
  ],
  bad: [
    ["none", { requests: [] }, ["requests", "REQUIRED"]],
    ["too many", { requests: many(MAX_PRICES + 1).map(() => VALID) }, ["requests", "OUT_OF_RANGE", /at most 32/]],
    ["a block that is gone", { requests: [VALID], blockNumber: "89" }, ["blockNumber", "OUT_OF_RANGE"]],
    ["a word for a block", { requests: [VALID], blockNumber: "x" }, ["blockNumber", "INVALID_INTEGER"]],
    ["an empty block", { requests: [VALID], blockNumber: "" }, ["blockNumber", "INVALID_INTEGER"]],
  ],
};

const PLACE = placeOf(USDC.address, 10n ** 19n);
const CURSOR = cursorOf(PLACE, undefined);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A list of tokens; `query`: what is looked for. */
export const TOKENS: ParameterTable = {
  good: [
    ["nothing", {}, { query: { kind: "page", most: 50 } }],
    ["a search", { search: "usd" }, { query: { kind: "page", most: 50, search: "usd" } }],
    ["a page of ten", { pageSize: 10 }, { query: { kind: "page", most: 10 } }],
    ["a cursor", { cursor: CURSOR, pageSize: 2 }, { query: { kind: "page", most: 2, after: PLACE } }],
    [
      "two addresses",
      { addresses: [WETH.address, NATIVE_TOKEN] },
      { query: { kind: "addresses", addresses: [WETH.address, NATIVE_TOKEN], account: "preset" } },
    ],
  ],
  edge: [
    [
      "a search in capitals, with spaces around",
      { search: "  USD Coin " },
      { query: { kind: "page", most: 50, search: "usd coin" } },
    ],
    ["a search of one character", { search: "u" }, { query: { kind: "page", most: 50, search: "u" } }],
    [
      "a search of 64 characters",
      { search: "x".repeat(64) },
      { query: { kind: "page", most: 50, search: "x".repeat(64) } },
    ],
    ["a search in other letters", { search: "ÜSD₮" }, { query: { kind: "page", most: 50, search: "üsd₮" } }],
    ["a page of one", { pageSize: 1 }, { query: { kind: "page", most: 1 } }],
    ["the largest page", { pageSize: 100 }, { query: { kind: "page", most: 100 } }],
    [
      "a cursor of the same search",
      { cursor: cursorOf(PLACE, "usd"), search: "USD" },
      { query: { kind: "page", most: 50, after: PLACE, search: "usd" } },
    ],
    [
      "an address with checksum",
      { addresses: ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"] },
      { query: { kind: "addresses", addresses: [WETH.address], account: "preset" } },
    ],
    [
      "100 addresses",
      { addresses: addresses(100) },
      { query: { kind: "addresses", addresses: addresses(100), account: "preset" } },
    ],
  ],
  bad: [
    ["an empty search", { search: "" }, ["search", "OUT_OF_RANGE", /leave it out/]],
    ["a search of spaces", { search: "   " }, ["search", "OUT_OF_RANGE", /empty/]],
    ["a search of 65 characters", { search: "x".repeat(65) }, ["search", "OUT_OF_RANGE", /at most 64/]],
    ["an empty page", { pageSize: 0 }, ["pageSize", "OUT_OF_RANGE", /between 1 and 100. Given: 0/]],
    ["a page of 101", { pageSize: 101 }, ["pageSize", "OUT_OF_RANGE"]],
    ["a page of all", { pageSize: 4_294_967_295 }, ["pageSize", "OUT_OF_RANGE"]],
    ["an empty cursor", { cursor: "" }, ["cursor", "INVALID_CURSOR", /nextCursor of a page/]],
    ["a cursor that is none", { cursor: "abc" }, ["cursor", "INVALID_CURSOR"]],
    ["a cursor that is far too long", { cursor: "A".repeat(5_000) }, ["cursor", "INVALID_CURSOR"]],
    ["a cursor cut short", { cursor: CURSOR.slice(0, -9) }, ["cursor", "INVALID_CURSOR"]],
    ["a cursor with another place", { cursor: encoded(["00WETH", ""]) }, ["cursor", "INVALID_CURSOR"]],
    ["a cursor of three parts", { cursor: encoded([PLACE, "", 1]) }, ["cursor", "INVALID_CURSOR"]],
    ["a cursor that is an object", { cursor: encoded({ place: PLACE }) }, ["cursor", "INVALID_CURSOR"]],
    [
      "a cursor of another search",
      { cursor: cursorOf(PLACE, "usd"), search: "eth" },
      ["cursor", "INVALID_CURSOR", /belongs to the search "usd"/],
    ],
    ["a cursor of a search without it", { cursor: cursorOf(PLACE, "usd") }, ["cursor", "INVALID_CURSOR"]],
    ["an empty address", { addresses: [""] }, ["addresses", "INVALID_ADDRESS"]],
    ["a symbol for an address", { addresses: ["WETH"] }, ["addresses", "INVALID_ADDRESS"]],
    ["the zero address", { addresses: [ZERO] }, ["addresses", "ZERO_ADDRESS"]],
    ["a wrong checksum", { addresses: [WRONG_CHECKSUM] }, ["addresses", "INVALID_CHECKSUM"]],
    ["101 addresses", { addresses: addresses(101) }, ["addresses", "OUT_OF_RANGE", /at most 100/]],
    [
      "addresses with everything else",
      { addresses: [WETH.address], search: "a", pageSize: 5, cursor: cursorOf(PLACE, "a") },
      ["search", "CONFLICT", /addresses/],
      ["pageSize", "CONFLICT"],
      ["cursor", "CONFLICT"],
    ],
    ["two things at once", { search: "", pageSize: 0 }, ["search", "OUT_OF_RANGE"], ["pageSize", "OUT_OF_RANGE"]],
  ],
};
