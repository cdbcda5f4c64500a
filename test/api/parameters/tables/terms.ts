import { GATEWAY, TAKER, USDC, WBTC, WETH } from "../../../../fixtures/door/fake-quoting.ts";
import { NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import { type ParameterTable, RECIPIENT, WRONG_CHECKSUM, ZERO } from "./row.ts";

const OTHER = "0x4444444444444444444444444444444444444444";
const FEE = { integratorPercentageFee: "0.01", integratorRecipientAddress: RECIPIENT };
const rates = (...given: readonly string[]) => given.join(",");
const five = (item: string) => Array.from({ length: 5 }, () => item).join(",");

/** Terms of a swap: fees, gas price, recipient, approvals, a whole balance. */
export const TERMS: ParameterTable = {
  good: [
    ["a fee", FEE, { fee: { ratePpm: 10_000n, recipient: RECIPIENT } }],
    [
      "a fee of the sold token",
      { ...FEE, swapFeeToken: WETH.address },
      { fee: { ratePpm: 10_000n, recipient: RECIPIENT, fromSold: true } },
    ],
    [
      "a fee of the bought token",
      { ...FEE, swapFeeToken: USDC.address },
      { fee: { ratePpm: 10_000n, recipient: RECIPIENT } },
    ],
    ["a gas price", { gasPrice: "3000000000" }, { gasPrice: 3_000_000_000n }],
    ["price impact protection", { priceImpactProtectionPercentage: "0.05" }, { maxPriceImpact: 5n * 10n ** 16n }],
    ["no simulation", { skipValidation: true }, { skipValidation: true }],
    ["a recipient", { recipient: RECIPIENT }, { recipient: RECIPIENT }],
    ["permit2", { approvalMode: "permit2", takerAddress: TAKER }, { approvalMode: "permit2" }],
    ["eip2612", { approvalMode: "eip2612", takerAddress: TAKER }, { approvalMode: "eip2612" }],
    ["a whole balance", { sellEntireBalance: true }, { sellEntireBalance: true }],
  ],
  edge: [
    [
      "a fee at the cap",
      { integratorPercentageFee: "0.1", integratorRecipientAddress: RECIPIENT },
      { fee: { ratePpm: 100_000n, recipient: RECIPIENT } },
    ],
    [
      "a fee of one part per million",
      { integratorPercentageFee: "0.000001", integratorRecipientAddress: RECIPIENT },
      { fee: { ratePpm: 1n, recipient: RECIPIENT } },
    ],
    ["a fee of 0", { integratorPercentageFee: "0", integratorRecipientAddress: RECIPIENT }, { fee: undefined }],
    [
      "four fees at the cap, with spaces",
      {
        integratorPercentageFee: rates("0.05", " 0.000001", "0.0499", "0.000099"),
        integratorRecipientAddress: [RECIPIENT, OTHER, RECIPIENT, ` ${TAKER}`].join(","),
      },
      {
        fee: {
          ...{ ratePpm: 50_000n, recipient: RECIPIENT },
          others: [
            { ratePpm: 1n, recipient: OTHER },
            { ratePpm: 49_900n, recipient: RECIPIENT },
            { ratePpm: 99n, recipient: TAKER },
          ],
        },
      },
    ],
    [
      "a fee of nothing among others",
      { integratorPercentageFee: "0,0.01", integratorRecipientAddress: `${OTHER},${RECIPIENT}` },
      { fee: { ratePpm: 10_000n, recipient: RECIPIENT } },
    ],
    ["a side without a fee", { swapFeeToken: WETH.address }, { fee: undefined }],
    ["gas for nothing", { gasPrice: "0" }, { gasPrice: 0n }],
    ["the highest gas price", { gasPrice: String(2n ** 64n - 1n) }, { gasPrice: 2n ** 64n - 1n }],
    ["no price impact at all", { priceImpactProtectionPercentage: "0" }, { maxPriceImpact: 0n }],
    ["any price impact", { priceImpactProtectionPercentage: "1" }, { maxPriceImpact: 10n ** 18n }],
    ["a simulation", { skipValidation: false }, { skipValidation: false }],
    ["the taker as recipient", { recipient: TAKER, takerAddress: TAKER }, { recipient: TAKER }],
    ["a recipient in capitals", { recipient: `0x${"AB".repeat(20)}` }, { recipient: `0x${"ab".repeat(20)}` }],
    ["approve", { approvalMode: "approve" }, { approvalMode: "approve" }],
    ["none", { approvalMode: "none" }, { approvalMode: "none" }],
    ["no whole balance", { sellEntireBalance: false }, { sellEntireBalance: undefined }],
  ],
  bad: [
    ["a fee without recipient", { integratorPercentageFee: "0.01" }, ["integratorRecipientAddress", "MISSING_PARTNER"]],
    [
      "a recipient without fee",
      { integratorRecipientAddress: RECIPIENT },
      ["integratorPercentageFee", "MISSING_PARTNER"],
    ],
    [
      "a fee above the cap",
      { integratorPercentageFee: "0.100001", integratorRecipientAddress: RECIPIENT },
      ["integratorPercentageFee", "OUT_OF_RANGE"],
    ],
    [
      "a fee of 7 decimals",
      { integratorPercentageFee: "0.0000001", integratorRecipientAddress: RECIPIENT },
      ["integratorPercentageFee", "TOO_MANY_DECIMALS"],
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
          ["integratorPercentageFee", reason],
        ] as const,
    ),
    [
      "a recipient that is no address",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: "vitalik.eth" },
      ["integratorRecipientAddress", "INVALID_ADDRESS"],
    ],
    [
      "an empty recipient",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: "" },
      ["integratorRecipientAddress", "INVALID_ADDRESS", /empty/],
    ],
    [
      "a recipient with a wrong checksum",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: WRONG_CHECKSUM },
      ["integratorRecipientAddress", "INVALID_CHECKSUM"],
    ],
    [
      "a recipient that is the wrapped native token",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: WETH.address },
      ["integratorRecipientAddress", "INVALID_RECIPIENT", /token/],
    ],
    [
      "a fee of 0 without recipient",
      { integratorPercentageFee: "0" },
      ["integratorRecipientAddress", "MISSING_PARTNER"],
    ],
    [
      "a recipient that is zero",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: ZERO },
      ["integratorRecipientAddress", "ZERO_ADDRESS", /an account\.$/],
    ],
    [
      "a recipient that is ours",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: GATEWAY },
      ["integratorRecipientAddress", "INVALID_RECIPIENT", /settlement/],
    ],
    [
      "a recipient that is a token",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: WBTC.address },
      ["integratorRecipientAddress", "INVALID_RECIPIENT", /token/],
    ],
    [
      "a recipient that is the native token",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: NATIVE_TOKEN },
      ["integratorRecipientAddress", "INVALID_RECIPIENT", /token/],
    ],

    ["a gas price with a point", { gasPrice: "1.5" }, ["gasPrice", "INVALID_INTEGER"]],
    ["a gas price beyond all sense", { gasPrice: String(2n ** 64n) }, ["gasPrice", "OUT_OF_RANGE"]],
    ["an empty gas price", { gasPrice: "" }, ["gasPrice", "INVALID_INTEGER"]],
    ["a negative gas price", { gasPrice: "-1" }, ["gasPrice", "INVALID_INTEGER"]],
    ["a gas price with an exponent", { gasPrice: "1e9" }, ["gasPrice", "INVALID_INTEGER"]],
    ["a gas price in hex", { gasPrice: "0x1" }, ["gasPrice", "INVALID_INTEGER"]],
    ["skipValidation as null", { skipValidation: "null" }, ["skipValidation", "INVALID_TYPE"]],
    ...["", "half", "-0.1", "1e-1", "0,5"].map(
      (value) =>
        [
          `price impact protection of ${JSON.stringify(value)}`,
          { priceImpactProtectionPercentage: value },
          ["priceImpactProtectionPercentage", "INVALID_FRACTION"],
        ] as const,
    ),
    [
      "price impact protection of 19 decimals",
      { priceImpactProtectionPercentage: `0.${"1".repeat(19)}` },
      ["priceImpactProtectionPercentage", "TOO_MANY_DECIMALS"],
    ],
    ["skipValidation in capitals", { skipValidation: "TRUE" }, ["skipValidation", "INVALID_TYPE", /true or false/]],
    ["skipValidation as a number", { skipValidation: "1" }, ["skipValidation", "INVALID_TYPE"]],
    ["empty skipValidation", { skipValidation: "" }, ["skipValidation", "INVALID_TYPE"]],
    [
      "price impact in percent",
      { priceImpactProtectionPercentage: "5" },
      ["priceImpactProtectionPercentage", "OUT_OF_RANGE"],
    ],

    ["an empty recipient", { recipient: "" }, ["recipient", "INVALID_ADDRESS", /empty/]],
    ["a recipient that is no address", { recipient: "vitalik.eth" }, ["recipient", "INVALID_ADDRESS"]],
    ["a recipient cut short", { recipient: RECIPIENT.slice(0, -1) }, ["recipient", "INVALID_ADDRESS", /39/]],
    ["the zero address to pay", { recipient: ZERO }, ["recipient", "ZERO_ADDRESS", /an account\.$/]],
    ["a recipient with a wrong checksum", { recipient: WRONG_CHECKSUM }, ["recipient", "INVALID_CHECKSUM"]],
    ["a contract of ours to pay", { recipient: GATEWAY }, ["recipient", "INVALID_RECIPIENT", /settlement/]],
    ["a token to pay", { recipient: WBTC.address }, ["recipient", "INVALID_RECIPIENT", /tokens sent there/]],
    ["the bought token to pay", { recipient: USDC.address }, ["recipient", "INVALID_RECIPIENT"]],
    ["the wrapped native token to pay", { recipient: WETH.address }, ["recipient", "INVALID_RECIPIENT"]],
    ["the native token to pay", { recipient: NATIVE_TOKEN }, ["recipient", "INVALID_RECIPIENT"]],

    ["no way of approving", { approvalMode: "" }, ["approvalMode", "UNKNOWN_VALUE", /approve, permit2, eip2612, none/]],
    ["another way of approving", { approvalMode: "permit" }, ["approvalMode", "UNKNOWN_VALUE", /"permit"/]],
    ["a way in capitals", { approvalMode: "PERMIT2" }, ["approvalMode", "UNKNOWN_VALUE"]],
    ["Permit2 for nobody", { approvalMode: "permit2" }, ["takerAddress", "MISSING_PARTNER", /who signs/]],
    ["a permit of nobody's", { approvalMode: "eip2612" }, ["takerAddress", "MISSING_PARTNER"]],

    ["a fee of a third token", { ...FEE, swapFeeToken: WBTC.address }, ["swapFeeToken", "CONFLICT", /neither token/]],
    ["a fee of a symbol", { ...FEE, swapFeeToken: "WETH" }, ["swapFeeToken", "INVALID_ADDRESS"]],
    ["a fee of an empty token", { ...FEE, swapFeeToken: "" }, ["swapFeeToken", "INVALID_ADDRESS"]],
    [
      "two fees for one recipient",
      { ...FEE, integratorPercentageFee: "0.01,0.02" },
      ["integratorRecipientAddress", "CONFLICT", /has 2, integratorRecipientAddress 1/],
    ],
    [
      "one fee for two recipients",
      { ...FEE, integratorRecipientAddress: `${RECIPIENT},${OTHER}` },
      ["integratorRecipientAddress", "CONFLICT"],
    ],
    [
      "five fees",
      { integratorPercentageFee: five("0.01"), integratorRecipientAddress: five(RECIPIENT) },
      ["integratorPercentageFee", "OUT_OF_RANGE", /more than 4/],
      ["integratorRecipientAddress", "OUT_OF_RANGE", /more than 4/],
    ],
    [
      "fees above the cap together",
      { integratorPercentageFee: "0.05,0.050001", integratorRecipientAddress: `${RECIPIENT},${OTHER}` },
      ["integratorPercentageFee", "OUT_OF_RANGE", /more than 0\.1/],
    ],
    [
      "a second fee that is none",
      { integratorPercentageFee: "0.01,", integratorRecipientAddress: `${RECIPIENT},${OTHER}` },
      ["integratorPercentageFee", "INVALID_FRACTION"],
    ],
    [
      "a second recipient that is a token",
      { integratorPercentageFee: "0.01,0.01", integratorRecipientAddress: `${RECIPIENT},${WBTC.address}` },
      ["integratorRecipientAddress", "INVALID_RECIPIENT", /fees sent there/],
    ],

    [
      "a whole balance for an exact amount",
      { sellAmount: undefined, buyAmount: "1", sellEntireBalance: true },
      ["sellEntireBalance", "CONFLICT", /the most to sell/],
    ],
    [
      "a whole balance of native token",
      { sellToken: NATIVE_TOKEN, sellEntireBalance: true },
      ["sellEntireBalance", "CONFLICT", /native token/],
    ],
    ["a whole balance in words", { sellEntireBalance: "yes" }, ["sellEntireBalance", "INVALID_TYPE"]],
    ["a whole balance in capitals", { sellEntireBalance: "TRUE" }, ["sellEntireBalance", "INVALID_TYPE"]],
  ],
};
