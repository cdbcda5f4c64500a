import { GATEWAY, NATIVE, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";

/** The largest amount. */
const MAX = (1n << 256n) - 1n;

export const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };
export const RECIPIENT = "0x3333333333333333333333333333333333333333";

/** Changes of VALID; undefined takes a parameter away. */
export type Parameters = Record<string, string | undefined>;

/** An item of validationErrors, and what its description says. */
export type Problem = readonly [field: string, code: number, reason: string, says?: RegExp];

/** Requests that are refused, row by row of the contract's table, as they stand in a query. */
export const REFUSED: readonly (readonly [name: string, changes: Parameters, ...expected: Problem[]])[] = [
  ["no sellToken", { sellToken: undefined }, ["sellToken", 1000, "REQUIRED"]],
  ["no buyToken", { buyToken: undefined }, ["buyToken", 1000, "REQUIRED"]],
  ["an empty token", { sellToken: "" }, ["sellToken", 1002, "INVALID_ADDRESS", /empty/]],
  ["a symbol", { sellToken: "weth" }, ["sellToken", 1002, "SYMBOL_INSTEAD_OF_ADDRESS", new RegExp(WETH.address)]],
  ["an unknown symbol", { sellToken: "DOGE" }, ["sellToken", 1002, "INVALID_ADDRESS", /"DOGE"/]],
  ["an address too short", { sellToken: "0x1234" }, ["sellToken", 1002, "INVALID_ADDRESS", /has 4 hex digits/]],
  ["an address too long", { sellToken: `${WETH.address}0` }, ["sellToken", 1002, "INVALID_ADDRESS", /41/]],
  ["0X in capitals", { sellToken: WETH.address.replace("0x", "0X") }, ["sellToken", 1002, "INVALID_ADDRESS"]],
  ["the zero address", { buyToken: `0x${"0".repeat(40)}` }, ["buyToken", 1002, "ZERO_ADDRESS", /native/]],
  [
    "a wrong checksum",
    { sellToken: "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    ["sellToken", 1002, "INVALID_CHECKSUM", /EIP-55/],
  ],
  ["no token at the address", { buyToken: TAKER }, ["buyToken", 1009, "UNKNOWN_TOKEN", new RegExp(TAKER)]],
  ["the same token twice", { buyToken: VALID.sellToken }, ["buyToken", 1009, "SAME_TOKEN"]],
  [
    "the same token twice, in two spellings",
    { buyToken: `0x${WETH.address.slice(2).toUpperCase()}` },
    ["buyToken", 1009, "SAME_TOKEN"],
  ],
  [
    "the native token twice",
    { sellToken: NATIVE_TOKEN, buyToken: `0x${"E".repeat(40)}` },
    ["buyToken", 1009, "SAME_TOKEN"],
  ],
  ["a symbol to buy", { buyToken: "usdc" }, ["buyToken", 1002, "SYMBOL_INSTEAD_OF_ADDRESS", new RegExp(USDC.address)]],
  ["an empty token to buy", { buyToken: "" }, ["buyToken", 1002, "INVALID_ADDRESS", /empty/]],
  [
    "a wrong checksum of the token to buy",
    { buyToken: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eb48".replace("9D", "9d").replace("A0b", "a0B") },
    ["buyToken", 1002, "INVALID_CHECKSUM", /EIP-55/],
  ],
  ["a token that is no hex", { buyToken: `0x${"g".repeat(40)}` }, ["buyToken", 1002, "INVALID_ADDRESS"]],

  ["no amount", { sellAmount: undefined }, ["sellAmount", 1000, "REQUIRED"], ["buyAmount", 1000, "REQUIRED"]],
  ["both amounts", { buyAmount: "1" }, ["sellAmount", 1001, "CONFLICT"], ["buyAmount", 1001, "CONFLICT"]],
  ["an empty amount", { sellAmount: "" }, ["sellAmount", 1001, "INVALID_INTEGER", /empty/]],
  ["an amount of 0", { sellAmount: "0" }, ["sellAmount", 1004, "OUT_OF_RANGE"]],
  ["2^256", { sellAmount: String(MAX + 1n) }, ["sellAmount", 1004, "OUT_OF_RANGE"]],
  ["300 digits", { sellAmount: "9".repeat(300) }, ["sellAmount", 1004, "OUT_OF_RANGE"]],
  ["a sign", { sellAmount: "+5" }, ["sellAmount", 1001, "INVALID_INTEGER", /sign/]],
  ["a negative amount", { sellAmount: "-5" }, ["sellAmount", 1001, "INVALID_INTEGER", /sign/]],
  ["an exponent", { sellAmount: "1e18" }, ["sellAmount", 1001, "INVALID_INTEGER", /exponent/]],
  ["leading zeros", { sellAmount: "007" }, ["sellAmount", 1001, "INVALID_INTEGER", /it is 7\./]],
  ["hex", { sellAmount: "0x10" }, ["sellAmount", 1001, "INVALID_INTEGER", /hex/]],
  ["a space", { sellAmount: " 5" }, ["sellAmount", 1001, "INVALID_INTEGER"]],
  ["other digits", { sellAmount: "١٢" }, ["sellAmount", 1001, "INVALID_INTEGER"]],
  ...(
    [
      ["empty", "", 1001, "INVALID_INTEGER", /empty/],
      ["0", "0", 1004, "OUT_OF_RANGE", /at least 1/],
      ["2^256", String(MAX + 1n), 1004, "OUT_OF_RANGE", /must be at most/],
      ["of 4,000 digits", "9".repeat(4_000), 1004, "OUT_OF_RANGE", /must be at most/],
      ["with a sign", "-1", 1001, "INVALID_INTEGER", /sign/],
      ["with an exponent", "1E6", 1001, "INVALID_INTEGER", /exponent/],
      ["with leading zeros", "01", 1001, "INVALID_INTEGER", /it is 1\./],
      ["in hex", "0xff", 1001, "INVALID_INTEGER", /hex/],
      ["in words", "all", 1001, "INVALID_INTEGER", /digits/],
    ] as const
  ).map(
    ([how, buyAmount, code, reason, says]) =>
      [`a buyAmount ${how}`, { sellAmount: undefined, buyAmount }, ["buyAmount", code, reason, says]] as const,
  ),
  [
    "both amounts, and both wrong",
    { sellAmount: "-1", buyAmount: "1.5" },
    ["sellAmount", 1001, "CONFLICT"],
    ["sellAmount", 1001, "INVALID_INTEGER"],
    ["buyAmount", 1001, "CONFLICT"],
    ["buyAmount", 1001, "INVALID_INTEGER"],
  ],
  [
    "a decimal point with nothing behind it",
    { sellAmount: "2." },
    ["sellAmount", 1001, "INVALID_INTEGER", /2\. is 2000000000000000000\./],
  ],
  [
    "a decimal point of a token that nobody knows",
    { sellToken: TAKER, sellAmount: "1.5" },
    ["sellToken", 1009, "UNKNOWN_TOKEN"],
    ["sellAmount", 1001, "INVALID_INTEGER", /base units/],
  ],
  [
    "a decimal point, answered in base units",
    { sellAmount: "1.5" },
    ["sellAmount", 1001, "INVALID_INTEGER", /WETH has 18 decimals, so 1\.5 is 1500000000000000000\./],
  ],
  [
    "a decimal point for the bought token",
    { sellAmount: undefined, buyAmount: "0.25" },
    ["buyAmount", 1001, "INVALID_INTEGER", /USDC has 6 decimals, so 0\.25 is 250000\./],
  ],
  [
    "more decimals than the token has",
    { sellAmount: undefined, buyAmount: "0.1234567" },
    ["buyAmount", 1001, "INVALID_INTEGER", /more digits/],
  ],

  ["slippage in words", { slippagePercentage: "low" }, ["slippagePercentage", 1001, "INVALID_FRACTION"]],
  ["slippage AUTO", { slippagePercentage: "AUTO" }, ["slippagePercentage", 1001, "INVALID_FRACTION", /, or auto\. /]],
  ["slippage auto and more", { slippagePercentage: "auto 0.01" }, ["slippagePercentage", 1001, "INVALID_FRACTION"]],
  ["slippage auto in quotes", { slippagePercentage: '"auto"' }, ["slippagePercentage", 1001, "INVALID_FRACTION"]],
  ["empty slippage", { slippagePercentage: "" }, ["slippagePercentage", 1001, "INVALID_FRACTION", /default/]],
  ["slippage with an exponent", { slippagePercentage: "1e-2" }, ["slippagePercentage", 1001, "INVALID_FRACTION"]],
  ["negative slippage", { slippagePercentage: "-0.1" }, ["slippagePercentage", 1001, "INVALID_FRACTION"]],
  ["slippage in percent", { slippagePercentage: "3" }, ["slippagePercentage", 1004, "OUT_OF_RANGE", /1 % is 0\.01/]],
  [
    "slippage just above 1",
    { slippagePercentage: "1.000000000000000001" },
    ["slippagePercentage", 1004, "OUT_OF_RANGE"],
  ],
  [
    "slippage of 19 decimals",
    { slippagePercentage: `0.${"1".repeat(19)}` },
    ["slippagePercentage", 1001, "TOO_MANY_DECIMALS"],
  ],

  ["a taker that is no address", { takerAddress: "me" }, ["takerAddress", 1002, "INVALID_ADDRESS"]],
  ["an empty taker", { takerAddress: "" }, ["takerAddress", 1002, "INVALID_ADDRESS", /empty/]],
  ["the zero address as taker", { takerAddress: `0x${"0".repeat(40)}` }, ["takerAddress", 1002, "ZERO_ADDRESS"]],
  ["the native token as taker", { takerAddress: NATIVE_TOKEN }, ["takerAddress", 1002, "INVALID_ADDRESS"]],
  [
    "a taker with a wrong checksum",
    { takerAddress: "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    ["takerAddress", 1002, "INVALID_CHECKSUM", /EIP-55/],
  ],

  [
    "both source lists",
    { excludedSources: "Uniswap_V2", includedSources: "Uniswap_V3" },
    ["excludedSources", 1001, "CONFLICT"],
    ["includedSources", 1001, "CONFLICT"],
  ],
  [
    "an unknown source",
    { includedSources: "Uniswap_V4" },
    ["includedSources", 1006, "UNKNOWN_SOURCE", /Nearest: Uniswap_V2, Uniswap_V3\./],
  ],
  [
    "a source of another world",
    { excludedSources: "qqqqqqqqqq" },
    ["excludedSources", 1006, "UNKNOWN_SOURCE", /Known: SushiSwap/],
  ],
  [
    "all sources excluded",
    { excludedSources: "Uniswap_V2,Uniswap_V3,SushiSwap" },
    ["excludedSources", 1006, "NO_SOURCE_LEFT"],
  ],
  [
    "all sources excluded, and one that there is not",
    { excludedSources: "Uniswap_V2,Uniswap_V3,SushiSwap,Nope" },
    ["excludedSources", 1006, "UNKNOWN_SOURCE"],
    ["excludedSources", 1006, "NO_SOURCE_LEFT"],
  ],
  [
    "two unknown sources",
    { includedSources: "Uniswap_V1,Shushi" },
    ["includedSources", 1006, "UNKNOWN_SOURCE", /Nearest: Uniswap_V2/],
    ["includedSources", 1006, "UNKNOWN_SOURCE"],
  ],

  [
    "a fee without recipient",
    { integratorPercentageFee: "0.01" },
    ["integratorRecipientAddress", 1006, "MISSING_PARTNER"],
  ],
  [
    "a recipient without fee",
    { integratorRecipientAddress: RECIPIENT },
    ["integratorPercentageFee", 1006, "MISSING_PARTNER"],
  ],
  [
    "a fee above the cap",
    { integratorPercentageFee: "0.100001", integratorRecipientAddress: RECIPIENT },
    ["integratorPercentageFee", 1004, "OUT_OF_RANGE"],
  ],
  [
    "a fee of 7 decimals",
    { integratorPercentageFee: "0.0000001", integratorRecipientAddress: RECIPIENT },
    ["integratorPercentageFee", 1001, "TOO_MANY_DECIMALS"],
  ],
  ...(
    [
      ["in words", "some", "INVALID_FRACTION"],
      ["that is empty", "", "INVALID_FRACTION"],
      ["below 0", "-0.01", "INVALID_FRACTION"],
      ["with an exponent", "1e-3", "INVALID_FRACTION"],
      ["without its zero", ".01", "INVALID_FRACTION"],
      ["in percent", "1", "OUT_OF_RANGE"],
    ] as const
  ).map(
    ([how, integratorPercentageFee, reason]) =>
      [
        `a fee ${how}`,
        { integratorPercentageFee, integratorRecipientAddress: RECIPIENT },
        ["integratorPercentageFee", reason === "OUT_OF_RANGE" ? 1004 : 1001, reason],
      ] as const,
  ),
  [
    "a recipient that is no address",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: "vitalik.eth" },
    ["integratorRecipientAddress", 1002, "INVALID_ADDRESS"],
  ],
  [
    "an empty recipient",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: "" },
    ["integratorRecipientAddress", 1002, "INVALID_ADDRESS", /empty/],
  ],
  [
    "a recipient with a wrong checksum",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    ["integratorRecipientAddress", 1002, "INVALID_CHECKSUM"],
  ],
  [
    "a recipient that is the wrapped native token",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: WETH.address },
    ["integratorRecipientAddress", 1006, "INVALID_RECIPIENT", /token/],
  ],
  [
    "a fee of 0 without recipient",
    { integratorPercentageFee: "0" },
    ["integratorRecipientAddress", 1006, "MISSING_PARTNER"],
  ],
  [
    "a recipient that is zero",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: `0x${"0".repeat(40)}` },
    ["integratorRecipientAddress", 1002, "ZERO_ADDRESS", /an account\.$/],
  ],
  [
    "a recipient that is ours",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: GATEWAY },
    ["integratorRecipientAddress", 1006, "INVALID_RECIPIENT", /settlement/],
  ],
  [
    "a recipient that is a token",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: WBTC.address },
    ["integratorRecipientAddress", 1006, "INVALID_RECIPIENT", /token/],
  ],
  [
    "a recipient that is the native token",
    { integratorPercentageFee: "0.01", integratorRecipientAddress: NATIVE_TOKEN },
    ["integratorRecipientAddress", 1006, "INVALID_RECIPIENT", /token/],
  ],

  ["a gas price with a point", { gasPrice: "1.5" }, ["gasPrice", 1001, "INVALID_INTEGER"]],
  ["a gas price beyond all sense", { gasPrice: String(2n ** 64n) }, ["gasPrice", 1004, "OUT_OF_RANGE"]],
  ["an empty gas price", { gasPrice: "" }, ["gasPrice", 1001, "INVALID_INTEGER"]],
  ["a negative gas price", { gasPrice: "-1" }, ["gasPrice", 1001, "INVALID_INTEGER"]],
  ["a gas price with an exponent", { gasPrice: "1e9" }, ["gasPrice", 1001, "INVALID_INTEGER"]],
  ["a gas price in hex", { gasPrice: "0x1" }, ["gasPrice", 1001, "INVALID_INTEGER"]],
  ["skipValidation as null", { skipValidation: "null" }, ["skipValidation", 1001, "INVALID_TYPE"]],
  ...["", "half", "-0.1", "1e-1", "0,5"].map(
    (value) =>
      [
        `price impact protection of ${JSON.stringify(value)}`,
        { priceImpactProtectionPercentage: value },
        ["priceImpactProtectionPercentage", 1001, "INVALID_FRACTION"],
      ] as const,
  ),
  [
    "price impact protection of 19 decimals",
    { priceImpactProtectionPercentage: `0.${"1".repeat(19)}` },
    ["priceImpactProtectionPercentage", 1001, "TOO_MANY_DECIMALS"],
  ],
  ["skipValidation in capitals", { skipValidation: "TRUE" }, ["skipValidation", 1001, "INVALID_TYPE", /true or false/]],
  ["skipValidation as a number", { skipValidation: "1" }, ["skipValidation", 1001, "INVALID_TYPE"]],
  ["empty skipValidation", { skipValidation: "" }, ["skipValidation", 1001, "INVALID_TYPE"]],
  [
    "price impact in percent",
    { priceImpactProtectionPercentage: "5" },
    ["priceImpactProtectionPercentage", 1004, "OUT_OF_RANGE"],
  ],

  [
    "a misspelt parameter",
    { slippagePercantage: "0.5" },
    ["slippagePercantage", 1006, "UNKNOWN_PARAMETER", /Did you mean slippagePercentage\?/],
  ],
  [
    "a name of JavaScript",
    { __proto__x: "1", constructor: "2" } as Parameters,
    ["__proto__x", 1006, "UNKNOWN_PARAMETER"],
    ["constructor", 1006, "UNKNOWN_PARAMETER"],
  ],
  ["a chain id", { chainId: "1" }, ["chainId", 1006, "UNKNOWN_PARAMETER"]],
  [
    "a name in other letter case",
    { sellamount: "1" },
    ["sellamount", 1006, "UNKNOWN_PARAMETER", /Did you mean sellAmount\?/],
  ],
  ["an API key in the query", { api_key: "x" }, ["api_key", 1006, "UNKNOWN_PARAMETER"]],
];

/** Requests that are accepted, and what they mean. */
export const ACCEPTED: readonly (readonly [name: string, changes: Parameters, expected: Partial<SwapRequest>])[] = [
  ["the least", {}, { amount: { kind: "exactIn", sellAmount: 1000n }, slippage: 10n ** 16n, sources: { kind: "all" } }],
  ["exact-out", { sellAmount: undefined, buyAmount: "1" }, { amount: { kind: "exactOut", buyAmount: 1n } }],
  ["the largest amount", { sellAmount: String(MAX) }, { amount: { kind: "exactIn", sellAmount: MAX } }],
  ["the smallest amount", { sellAmount: "1" }, { amount: { kind: "exactIn", sellAmount: 1n } }],
  [
    "the largest amount bought",
    { sellAmount: undefined, buyAmount: String(MAX) },
    { amount: { kind: "exactOut", buyAmount: MAX } },
  ],
  ["the native token to buy", { buyToken: NATIVE_TOKEN, sellToken: USDC.address }, { buyToken: NATIVE }],
  [
    "a taker with its checksum",
    { takerAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" },
    { taker: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" as never },
  ],
  ["the highest gas price", { gasPrice: String(2n ** 64n - 1n) }, { gasPrice: 2n ** 64n - 1n }],
  ["no price impact at all", { priceImpactProtectionPercentage: "0" }, { maxPriceImpact: 0n }],
  ["any price impact", { priceImpactProtectionPercentage: "1" }, { maxPriceImpact: 10n ** 18n }],
  ["the native token in capitals", { sellToken: `0x${"E".repeat(40)}` }, { sellToken: NATIVE }],
  ["the native token in mixed case", { sellToken: `0x${"eE".repeat(20)}` }, { sellToken: NATIVE }],
  ["a checksummed address", { sellToken: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" }, { sellToken: WETH }],
  ["an address in capitals", { sellToken: `0x${WETH.address.slice(2).toUpperCase()}` }, { sellToken: WETH }],
  ["slippage by itself", { slippagePercentage: "auto" }, { slippage: 10n ** 16n, slippageIsAuto: true }],
  ["no slippage at all", { slippagePercentage: "0" }, { slippage: 0n }],
  ["all slippage", { slippagePercentage: "1" }, { slippage: 10n ** 18n }],
  ["slippage of 18 decimals", { slippagePercentage: "0.000000000000000001" }, { slippage: 1n }],
  ["trailing zeros", { slippagePercentage: "0.50" }, { slippage: 5n * 10n ** 17n }],
  ["a taker", { takerAddress: TAKER }, { taker: TAKER }],
  [
    "sources in any case, with spaces, doubled",
    { includedSources: " uniswap_v3 ,UNISWAP_V2,Uniswap_V2," },
    { sources: { kind: "only", ids: ["Uniswap_V3", "Uniswap_V2"] } },
  ],
  ["an excluded source", { excludedSources: "sushiswap" }, { sources: { kind: "without", ids: ["SushiSwap"] } }],
  ["empty source lists", { excludedSources: "", includedSources: "," }, { sources: { kind: "all" } }],
  [
    "a fee at the cap",
    { integratorPercentageFee: "0.1", integratorRecipientAddress: RECIPIENT },
    { fee: { ratePpm: 100_000n, recipient: RECIPIENT as never } },
  ],
  [
    "a fee of one part per million",
    { integratorPercentageFee: "0.000001", integratorRecipientAddress: RECIPIENT },
    { fee: { ratePpm: 1n, recipient: RECIPIENT as never } },
  ],
  ["a gas price", { gasPrice: "0" }, { gasPrice: 0n }],
  ["price impact protection", { priceImpactProtectionPercentage: "0.05" }, { maxPriceImpact: 5n * 10n ** 16n }],
  ["a price is not validated", {}, { skipValidation: true }],
  ["unless it is asked to", { skipValidation: "false" }, { skipValidation: false }],
];
