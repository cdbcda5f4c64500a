import { NATIVE, TAKER, USDC, WETH } from "../../../../fixtures/door/fake-quoting.ts";
import { NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import { type ParameterTable, WRONG_CHECKSUM, ZERO } from "./row.ts";

/** The largest amount. */
const MAX = (1n << 256n) - 1n;

/** A swap that is accepted. */
export const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };

/** The swap itself: tokens, amount, slippage, taker and sources. */
export const SWAP: ParameterTable = {
  good: [
    [
      "the least",
      { ...VALID },
      {
        ...{ sellToken: WETH, buyToken: USDC, amount: { kind: "exactIn", sellAmount: 1000n } },
        ...{ slippage: 10n ** 16n, sources: { kind: "all" } },
        ...{ taker: undefined, fee: undefined, gasPrice: undefined, maxPriceImpact: undefined },
      },
    ],
    ["exact-out", { sellAmount: undefined, buyAmount: "20" }, { amount: { kind: "exactOut", buyAmount: 20n } }],
    ["the native token to buy", { buyToken: NATIVE_TOKEN, sellToken: USDC.address }, { buyToken: NATIVE }],
    ["slippage", { slippagePercentage: "0.03" }, { slippage: 3n * 10n ** 16n }],
    ["slippage by itself", { slippagePercentage: "auto" }, { slippage: 10n ** 16n, slippageIsAuto: true }],
    ["a taker", { takerAddress: TAKER }, { taker: TAKER }],
    ["an excluded source", { excludedSources: ["sushiswap"] }, { sources: { kind: "without", ids: ["SushiSwap"] } }],
    [
      "included sources",
      { includedSources: ["Uniswap_V3", "Uniswap_V2"] },
      { sources: { kind: "only", ids: ["Uniswap_V3", "Uniswap_V2"] } },
    ],
  ],
  edge: [
    ["the largest amount", { sellAmount: String(MAX) }, { amount: { kind: "exactIn", sellAmount: MAX } }],
    ["the smallest amount", { sellAmount: "1" }, { amount: { kind: "exactIn", sellAmount: 1n } }],
    [
      "the largest amount bought",
      { sellAmount: undefined, buyAmount: String(MAX) },
      { amount: { kind: "exactOut", buyAmount: MAX } },
    ],
    [
      "the smallest amount bought",
      { sellAmount: undefined, buyAmount: "1" },
      { amount: { kind: "exactOut", buyAmount: 1n } },
    ],
    ["the native token in capitals", { sellToken: `0x${"E".repeat(40)}` }, { sellToken: NATIVE }],
    ["the native token in mixed case", { sellToken: `0x${"eE".repeat(20)}` }, { sellToken: NATIVE }],
    ["a checksummed address", { sellToken: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" }, { sellToken: WETH }],
    ["an address in capitals", { sellToken: `0x${WETH.address.slice(2).toUpperCase()}` }, { sellToken: WETH }],
    ["a checksummed address to buy", { buyToken: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }, { buyToken: USDC }],
    ["no slippage at all", { slippagePercentage: "0" }, { slippage: 0n }],
    ["all slippage", { slippagePercentage: "1" }, { slippage: 10n ** 18n }],
    ["slippage of 18 decimals", { slippagePercentage: "0.000000000000000001" }, { slippage: 1n }],
    ["trailing zeros", { slippagePercentage: "0.50" }, { slippage: 5n * 10n ** 17n }],
    [
      "a taker with its checksum",
      { takerAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" },
      { taker: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" },
    ],
    [
      "sources in any case, with spaces, doubled",
      { includedSources: [" uniswap_v3 ,UNISWAP_V2", "Uniswap_V2", ""] },
      { sources: { kind: "only", ids: ["Uniswap_V3", "Uniswap_V2"] } },
    ],
    [
      "a source after many blanks",
      { excludedSources: [`${",".repeat(200)}SushiSwap`] },
      { sources: { kind: "without", ids: ["SushiSwap"] } },
    ],
    ["empty source lists", { excludedSources: [""], includedSources: [","] }, { sources: { kind: "all" } }],
  ],
  bad: [
    ["no sellToken", { sellToken: undefined }, ["sellToken", "REQUIRED"]],
    ["no buyToken", { buyToken: undefined }, ["buyToken", "REQUIRED"]],
    ["an empty token", { sellToken: "" }, ["sellToken", "INVALID_ADDRESS", /empty/]],
    ["a symbol", { sellToken: "weth" }, ["sellToken", "SYMBOL_INSTEAD_OF_ADDRESS", new RegExp(WETH.address)]],
    ["an unknown symbol", { sellToken: "DOGE" }, ["sellToken", "INVALID_ADDRESS", /"DOGE"/]],
    ["an address too short", { sellToken: "0x1234" }, ["sellToken", "INVALID_ADDRESS", /has 4 hex digits/]],
    ["an address too long", { sellToken: `${WETH.address}0` }, ["sellToken", "INVALID_ADDRESS", /41/]],
    ["0X in capitals", { sellToken: WETH.address.replace("0x", "0X") }, ["sellToken", "INVALID_ADDRESS"]],
    ["the zero address", { buyToken: ZERO }, ["buyToken", "ZERO_ADDRESS", /native/]],
    ["a wrong checksum", { sellToken: WRONG_CHECKSUM }, ["sellToken", "INVALID_CHECKSUM", /EIP-55/]],
    ["no token at the address", { buyToken: TAKER }, ["buyToken", "UNKNOWN_TOKEN", new RegExp(TAKER)]],
    ["the same token twice", { buyToken: VALID.sellToken }, ["buyToken", "SAME_TOKEN"]],
    [
      "the same token twice, in two spellings",
      { buyToken: `0x${WETH.address.slice(2).toUpperCase()}` },
      ["buyToken", "SAME_TOKEN"],
    ],
    [
      "the native token twice",
      { sellToken: NATIVE_TOKEN, buyToken: `0x${"E".repeat(40)}` },
      ["buyToken", "SAME_TOKEN"],
    ],
    ["a symbol to buy", { buyToken: "usdc" }, ["buyToken", "SYMBOL_INSTEAD_OF_ADDRESS", new RegExp(USDC.address)]],
    ["an empty token to buy", { buyToken: "" }, ["buyToken", "INVALID_ADDRESS", /empty/]],
    [
      "a wrong checksum of the token to buy",
      { buyToken: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eb48".replace("9D", "9d").replace("A0b", "a0B") },
      ["buyToken", "INVALID_CHECKSUM", /EIP-55/],
    ],
    ["a token that is no hex", { buyToken: `0x${"g".repeat(40)}` }, ["buyToken", "INVALID_ADDRESS"]],

    ["no amount", { sellAmount: undefined }, ["sellAmount", "REQUIRED"], ["buyAmount", "REQUIRED"]],
    ["both amounts", { buyAmount: "1" }, ["sellAmount", "CONFLICT"], ["buyAmount", "CONFLICT"]],
    ["an empty amount", { sellAmount: "" }, ["sellAmount", "INVALID_INTEGER", /empty/]],
    ["an amount of 0", { sellAmount: "0" }, ["sellAmount", "OUT_OF_RANGE"]],
    ["2^256", { sellAmount: String(MAX + 1n) }, ["sellAmount", "OUT_OF_RANGE"]],
    ["300 digits", { sellAmount: "9".repeat(300) }, ["sellAmount", "OUT_OF_RANGE"]],
    ["a sign", { sellAmount: "+5" }, ["sellAmount", "INVALID_INTEGER", /sign/]],
    ["a negative amount", { sellAmount: "-5" }, ["sellAmount", "INVALID_INTEGER", /sign/]],
    ["an exponent", { sellAmount: "1e18" }, ["sellAmount", "INVALID_INTEGER", /exponent/]],
    ["leading zeros", { sellAmount: "007" }, ["sellAmount", "INVALID_INTEGER", /it is 7\./]],
    ["hex", { sellAmount: "0x10" }, ["sellAmount", "INVALID_INTEGER", /hex/]],
    ["a space", { sellAmount: " 5" }, ["sellAmount", "INVALID_INTEGER"]],
    ["other digits", { sellAmount: "١٢" }, ["sellAmount", "INVALID_INTEGER"]],
    ...(
      [
        ["empty", "", "INVALID_INTEGER", /empty/],
        ["0", "0", "OUT_OF_RANGE", /at least 1/],
        ["2^256", String(MAX + 1n), "OUT_OF_RANGE", /must be at most/],
        ["of 4,000 digits", "9".repeat(4_000), "OUT_OF_RANGE", /must be at most/],
        ["with a sign", "-1", "INVALID_INTEGER", /sign/],
        ["with an exponent", "1E6", "INVALID_INTEGER", /exponent/],
        ["with leading zeros", "01", "INVALID_INTEGER", /it is 1\./],
        ["in hex", "0xff", "INVALID_INTEGER", /hex/],
        ["in words", "all", "INVALID_INTEGER", /digits/],
      ] as const
    ).map(
      ([how, buyAmount, reason, says]) =>
        [`a buyAmount ${how}`, { sellAmount: undefined, buyAmount }, ["buyAmount", reason, says]] as const,
    ),
    [
      "both amounts, and both wrong",
      { sellAmount: "-1", buyAmount: "1.5" },
      ["sellAmount", "CONFLICT"],
      ["sellAmount", "INVALID_INTEGER"],
      ["buyAmount", "CONFLICT"],
      ["buyAmount", "INVALID_INTEGER"],
    ],
    [
      "a decimal point with nothing behind it",
      { sellAmount: "2." },
      ["sellAmount", "INVALID_INTEGER", /2\. is 2000000000000000000\./],
    ],
    [
      "a decimal point of a token that nobody knows",
      { sellToken: TAKER, sellAmount: "1.5" },
      ["sellToken", "UNKNOWN_TOKEN"],
      ["sellAmount", "INVALID_INTEGER", /base units/],
    ],
    [
      "a decimal point, answered in base units",
      { sellAmount: "1.5" },
      ["sellAmount", "INVALID_INTEGER", /WETH has 18 decimals, so 1\.5 is 1500000000000000000\./],
    ],
    [
      "a decimal point for the bought token",
      { sellAmount: undefined, buyAmount: "0.25" },
      ["buyAmount", "INVALID_INTEGER", /USDC has 6 decimals, so 0\.25 is 250000\./],
    ],
    [
      "more decimals than the token has",
      { sellAmount: undefined, buyAmount: "0.1234567" },
      ["buyAmount", "INVALID_INTEGER", /more digits/],
    ],

    ["slippage in words", { slippagePercentage: "low" }, ["slippagePercentage", "INVALID_FRACTION"]],
    ["slippage AUTO", { slippagePercentage: "AUTO" }, ["slippagePercentage", "INVALID_FRACTION", /, or auto\. /]],
    ["slippage auto and more", { slippagePercentage: "auto 0.01" }, ["slippagePercentage", "INVALID_FRACTION"]],
    ["slippage auto in quotes", { slippagePercentage: '"auto"' }, ["slippagePercentage", "INVALID_FRACTION"]],
    ["empty slippage", { slippagePercentage: "" }, ["slippagePercentage", "INVALID_FRACTION", /default/]],
    ["slippage with an exponent", { slippagePercentage: "1e-2" }, ["slippagePercentage", "INVALID_FRACTION"]],
    ["negative slippage", { slippagePercentage: "-0.1" }, ["slippagePercentage", "INVALID_FRACTION"]],
    ["slippage in percent", { slippagePercentage: "3" }, ["slippagePercentage", "OUT_OF_RANGE", /1 % is 0\.01/]],
    ["slippage just above 1", { slippagePercentage: "1.000000000000000001" }, ["slippagePercentage", "OUT_OF_RANGE"]],
    [
      "slippage of 19 decimals",
      { slippagePercentage: `0.${"1".repeat(19)}` },
      ["slippagePercentage", "TOO_MANY_DECIMALS"],
    ],

    ["a taker that is no address", { takerAddress: "me" }, ["takerAddress", "INVALID_ADDRESS"]],
    ["an empty taker", { takerAddress: "" }, ["takerAddress", "INVALID_ADDRESS", /empty/]],
    ["the zero address as taker", { takerAddress: ZERO }, ["takerAddress", "ZERO_ADDRESS"]],
    ["the native token as taker", { takerAddress: NATIVE_TOKEN }, ["takerAddress", "INVALID_ADDRESS"]],
    ["a taker with a wrong checksum", { takerAddress: WRONG_CHECKSUM }, ["takerAddress", "INVALID_CHECKSUM", /EIP-55/]],

    [
      "both source lists",
      { excludedSources: ["Uniswap_V2"], includedSources: ["Uniswap_V3"] },
      ["excludedSources", "CONFLICT"],
      ["includedSources", "CONFLICT"],
    ],
    [
      "an unknown source",
      { includedSources: ["Uniswap_V4"] },
      ["includedSources", "UNKNOWN_SOURCE", /Nearest: Uniswap_V2, Uniswap_V3\./],
    ],
    [
      "a source of another world",
      { excludedSources: ["qqqqqqqqqq"] },
      ["excludedSources", "UNKNOWN_SOURCE", /Known: SushiSwap/],
    ],
    [
      "all sources excluded",
      { excludedSources: ["Uniswap_V2,Uniswap_V3,SushiSwap"] },
      ["excludedSources", "NO_SOURCE_LEFT"],
    ],
    [
      "all sources excluded, and one that there is not",
      { excludedSources: ["Uniswap_V2,Uniswap_V3,SushiSwap,Nope"] },
      ["excludedSources", "UNKNOWN_SOURCE"],
      ["excludedSources", "NO_SOURCE_LEFT"],
    ],
    [
      "two unknown sources",
      { includedSources: ["Uniswap_V1,Shushi"] },
      ["includedSources", "UNKNOWN_SOURCE", /Nearest: Uniswap_V2/],
      ["includedSources", "UNKNOWN_SOURCE"],
    ],

    [
      "a misspelt parameter",
      { slippagePercantage: "0.5" },
      ["slippagePercantage", "UNKNOWN_PARAMETER", /Did you mean slippagePercentage\?/],
    ],
    [
      "a name of JavaScript",
      { __proto__x: "1", constructor: "2" },
      ["__proto__x", "UNKNOWN_PARAMETER"],
      ["constructor", "UNKNOWN_PARAMETER"],
    ],
    ["a chain id", { chainId: "1" }, ["chainId", "UNKNOWN_PARAMETER"]],
    [
      "a name in other letter case",
      { sellamount: "1" },
      ["sellamount", "UNKNOWN_PARAMETER", /Did you mean sellAmount\?/],
    ],
    ["an API key in the query", { api_key: "x" }, ["api_key", "UNKNOWN_PARAMETER"]],
  ],
};
