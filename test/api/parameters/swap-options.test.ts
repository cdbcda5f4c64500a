import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GATEWAY, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { type Given, PARAMETER_CALLS } from "../../support/door/parameter-calls.ts";
import { RECIPIENT, VALID } from "./parameter-cases.ts";

/** Recipient, fees of several and of either token, ways of approving, and a whole balance: on every protocol. */
type Problem = readonly [field: string, reason: string, says?: RegExp];

const OTHER = "0x4444444444444444444444444444444444444444";
const FEE = { integratorPercentageFee: "0.01", integratorRecipientAddress: RECIPIENT };
const rates = (...given: readonly string[]) => given.join(",");
const five = (item: string) => Array.from({ length: 5 }, () => item).join(",");

const REFUSED: readonly (readonly [name: string, given: Given, ...expected: Problem[]])[] = [
  ["an empty recipient", { recipient: "" }, ["recipient", "INVALID_ADDRESS", /empty/]],
  ["a recipient that is no address", { recipient: "vitalik.eth" }, ["recipient", "INVALID_ADDRESS"]],
  ["a recipient cut short", { recipient: RECIPIENT.slice(0, -1) }, ["recipient", "INVALID_ADDRESS", /39/]],
  ["the zero address to pay", { recipient: `0x${"0".repeat(40)}` }, ["recipient", "ZERO_ADDRESS", /an account\.$/]],
  [
    "a recipient with a wrong checksum",
    { recipient: "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2" },
    ["recipient", "INVALID_CHECKSUM"],
  ],
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
];

const ACCEPTED: readonly (readonly [name: string, given: Given, expected: Partial<SwapRequest>])[] = [
  ["a recipient", { recipient: RECIPIENT }, { recipient: RECIPIENT as never }],
  ["the taker as recipient", { recipient: TAKER, takerAddress: TAKER }, { recipient: TAKER }],
  ["a recipient in capitals", { recipient: `0x${"AB".repeat(20)}` }, { recipient: `0x${"ab".repeat(20)}` as never }],
  ["approve", { approvalMode: "approve" }, { approvalMode: "approve" }],
  ["none", { approvalMode: "none" }, { approvalMode: "none" }],
  ["permit2", { approvalMode: "permit2", takerAddress: TAKER }, { approvalMode: "permit2" }],
  ["eip2612", { approvalMode: "eip2612", takerAddress: TAKER }, { approvalMode: "eip2612" }],
  [
    "a fee of the sold token",
    { ...FEE, swapFeeToken: WETH.address },
    { fee: { ratePpm: 10_000n, recipient: RECIPIENT as never, fromSold: true } },
  ],
  [
    "a fee of the bought token",
    { ...FEE, swapFeeToken: USDC.address },
    { fee: { ratePpm: 10_000n, recipient: RECIPIENT as never } },
  ],
  ["a side without a fee", { swapFeeToken: WETH.address }, { amount: { kind: "exactIn", sellAmount: 1000n } }],
  [
    "four fees at the cap, with spaces",
    {
      integratorPercentageFee: rates("0.05", " 0.000001", "0.0499", "0.000099"),
      integratorRecipientAddress: [RECIPIENT, OTHER, RECIPIENT, ` ${TAKER}`].join(","),
    },
    {
      fee: {
        ...{ ratePpm: 50_000n, recipient: RECIPIENT as never },
        others: [
          { ratePpm: 1n, recipient: OTHER as never },
          { ratePpm: 49_900n, recipient: RECIPIENT as never },
          { ratePpm: 99n, recipient: TAKER },
        ],
      },
    },
  ],
  [
    "a fee of nothing among others",
    { integratorPercentageFee: "0,0.01", integratorRecipientAddress: `${OTHER},${RECIPIENT}` },
    { fee: { ratePpm: 10_000n, recipient: RECIPIENT as never } },
  ],
  ["a whole balance", { sellEntireBalance: true }, { sellEntireBalance: true }],
  ["no whole balance", { sellEntireBalance: false }, { amount: { kind: "exactIn", sellAmount: 1000n } }],
];

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe.each(PARAMETER_CALLS)("on %s", (_, call) => {
  const refused = REFUSED.map(([name, given, ...expected]) => [name, given, expected] as const);

  test.each(refused)("%s is refused", async (_name, given, expected) => {
    const problems = await call(door, "getQuote", { ...VALID, ...given });
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual(
      expected.map(([field, reason]) => [field, reason]),
    );
    expected.forEach(([, , says], at) => {
      if (says !== undefined) expect(problems[at]?.description).toMatch(says);
    });
  });

  test.each(ACCEPTED)("%s is accepted", async (_name, given, expected) => {
    expect(await call(door, "getQuote", { ...VALID, ...given })).toEqual([]);
    const { request } = door.quoting.asked.at(-1)!;
    expect(request).toMatchObject(expected);
    if (expected.fee !== undefined) expect(request.fee).toEqual(expected.fee);
    if (given.sellEntireBalance !== true) expect(request.sellEntireBalance).toBeUndefined();
  });
});
