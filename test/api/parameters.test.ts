import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { SwapError } from "../../src/domain/swap-error.ts";
import type { SwapRequest } from "../../src/quoting/answers.ts";
import { fakeTokens, GATEWAY, NATIVE, TAKER, USDC, WBTC, WETH } from "../support/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../support/http.ts";

const MAX = (1n << 256n) - 1n;
const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };
const RECIPIENT = "0x3333333333333333333333333333333333333333";

type Parameters = Record<string, string | undefined>;
type Problem = readonly [field: string, code: number, reason: string, says?: RegExp];

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** VALID with changes; undefined takes a parameter away. */
function queryOf(changes: Parameters): string {
  const entries = Object.entries({ ...VALID, ...changes }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(entries as [string, string][]).toString();
}

type Problems = { field: string; code: number; reason: string; description: string }[];

async function problemsOf(query: string): Promise<Problems> {
  const asked = door.quoting.asked.length;
  const { status, body } = await door.get(`/swap/v1/price?${query}`);
  expect({ status, code: body.code, reason: body.reason }).toEqual({
    status: 400,
    code: 100,
    reason: "INVALID_PARAMETERS",
  });
  expect(door.quoting.asked.length).toBe(asked);
  return body.validationErrors;
}

async function requestOf(query: string, path = "price"): Promise<SwapRequest> {
  const { status, body } = await door.get(`/swap/v1/${path}?${query}`);
  expect(body.validationErrors).toBeUndefined();
  expect(status).toBe(200);
  return door.quoting.asked.at(-1)!.request;
}

describe("what is refused", () => {
  const refused: readonly (readonly [name: string, changes: Parameters, ...expected: Problem[]])[] = [
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
      ["excludedSources", 1006, "UNKNOWN_SOURCE", /Known: Uniswap_V3/],
    ],
    [
      "all sources excluded",
      { excludedSources: "Uniswap_V2,Uniswap_V3,SushiSwap" },
      ["excludedSources", 1006, "NO_SOURCE_LEFT"],
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
    [
      "a recipient that is zero",
      { integratorPercentageFee: "0.01", integratorRecipientAddress: `0x${"0".repeat(40)}` },
      ["integratorRecipientAddress", 1002, "ZERO_ADDRESS"],
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
    [
      "skipValidation in capitals",
      { skipValidation: "TRUE" },
      ["skipValidation", 1001, "INVALID_TYPE", /true or false/],
    ],
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
  ];

  test.each(refused.map(([name, changes, ...expected]) => [name, changes, expected] as const))("%s", async (...row) => {
    const [, changes, expected] = row;
    const problems = await problemsOf(queryOf(changes));
    expect(problems.map(({ field, code, reason }) => [field, code, reason])).toEqual(
      expected.map(([field, code, reason]) => [field, code, reason]),
    );
    expected.forEach(([, , , says], i) => {
      if (says !== undefined) expect(problems[i]?.description).toMatch(says);
      expect(problems[i]?.description).toMatch(/[.?]$/);
    });
  });

  test("a repeated parameter", async () => {
    const [problem] = await problemsOf(`${queryOf({})}&sellAmount=2`);
    expect(problem).toMatchObject({ field: "sellAmount", code: 1001, reason: "REPEATED_PARAMETER" });
  });

  test("a parameter under both of its names", async () => {
    const [problem] = await problemsOf(`${queryOf({})}&sell_amount=2`);
    expect(problem).toMatchObject({ field: "sellAmount", reason: "REPEATED_PARAMETER" });
  });

  test("everything at once, in the order of the parameters", async () => {
    const query = queryOf({
      sellToken: "WETH",
      buyToken: undefined,
      sellAmount: "1.5",
      slippagePercentage: "9",
      takerAddress: "x",
      includedSources: "Nope",
      integratorPercentageFee: "2",
      gasPrice: "x",
      skipValidation: "maybe",
      extra: "1",
    });
    const problems = await problemsOf(query);
    expect(problems.map((problem) => problem.field)).toEqual([
      "sellToken",
      "buyToken",
      "sellAmount",
      "slippagePercentage",
      "takerAddress",
      "includedSources",
      "integratorPercentageFee",
      "integratorRecipientAddress",
      "gasPrice",
      "skipValidation",
      "extra",
    ]);
  });
});

describe("what is accepted", () => {
  const accepted: readonly (readonly [name: string, changes: Parameters, expected: Partial<SwapRequest>])[] = [
    [
      "the least",
      {},
      { amount: { kind: "exactIn", sellAmount: 1000n }, slippage: 10n ** 16n, sources: { kind: "all" } },
    ],
    ["exact-out", { sellAmount: undefined, buyAmount: "1" }, { amount: { kind: "exactOut", buyAmount: 1n } }],
    ["the largest amount", { sellAmount: String(MAX) }, { amount: { kind: "exactIn", sellAmount: MAX } }],
    ["the native token in capitals", { sellToken: `0x${"E".repeat(40)}` }, { sellToken: NATIVE }],
    ["the native token in mixed case", { sellToken: `0x${"eE".repeat(20)}` }, { sellToken: NATIVE }],
    ["a checksummed address", { sellToken: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" }, { sellToken: WETH }],
    ["an address in capitals", { sellToken: `0x${WETH.address.slice(2).toUpperCase()}` }, { sellToken: WETH }],
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

  test.each(accepted)("%s", async (_, changes, expected) => {
    expect(await requestOf(queryOf(changes))).toMatchObject(expected);
  });

  test("a quote is validated unless it is asked not to", async () => {
    expect((await requestOf(queryOf({}), "quote")).skipValidation).toBe(false);
    expect((await requestOf(queryOf({ skipValidation: "true" }), "quote")).skipValidation).toBe(true);
  });

  test("what is absent stays absent", async () => {
    const request = await requestOf(queryOf({}));
    for (const name of ["taker", "fee", "gasPrice", "maxPriceImpact"]) expect(request).not.toHaveProperty(name);
  });

  test("proto names, repeated lists and percent signs", async () => {
    const query = `sell_token=${WETH.address}&buyToken=%30x${USDC.address.slice(2)}&sell_amount=5`;
    const request = await requestOf(`${query}&excludedSources=uniswap_v2&excludedSources=SushiSwap`);
    expect(request.sources).toEqual({ kind: "without", ids: ["Uniswap_V2", "SushiSwap"] });
  });

  test("a fee of 0 is no fee", async () => {
    const query = queryOf({ integratorPercentageFee: "0", integratorRecipientAddress: RECIPIENT });
    expect(await requestOf(query)).not.toHaveProperty("fee");
  });
});

describe("an integrator's profile", () => {
  test.each([
    ["has the base fee of 0.1 %", undefined, {}, 1000n],
    ["may have a rate of its own", 2500n, {}, 2500n],
    [
      "is replaced by the request",
      2500n,
      { integratorPercentageFee: "0.01", integratorRecipientAddress: TAKER },
      10_000n,
    ],
    [
      "is switched off by a fee of 0",
      2500n,
      { integratorPercentageFee: "0", integratorRecipientAddress: TAKER },
      undefined,
    ],
  ])("%s", async (_, ratePpm, changes, expected) => {
    const recipient = RECIPIENT as typeof TAKER;
    const integrator = ratePpm === undefined ? { recipient } : { recipient, ratePpm };
    const own = await openDoor({}, { verify: () => ({ keyId: "profile", integrator }) });
    await own.get(`/swap/v1/price?${queryOf(changes)}`);
    expect(own.quoting.asked[0]?.request.fee?.ratePpm).toBe(expected);
    await own.server.drain(100);
  });
});

describe("Connect JSON", () => {
  const post = (body: unknown, contentType = "application/json") =>
    fetch(`${door.origin}/swap.v1.SwapService/GetPrice`, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": contentType },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  /** Field and reason of each violation in the BadRequest detail. */
  async function violationsOf(response: Response): Promise<[string, string][]> {
    const error = (await response.json()) as {
      details: { type: string; debug: { fieldViolations: { field: string; reason: string }[] } }[];
    };
    const detail = error.details.find((candidate) => candidate.type === "google.rpc.BadRequest");
    return (detail?.debug.fieldViolations ?? []).map(({ field, reason }) => [field, reason]);
  }

  test("null is absent", async () => {
    const response = await post({ ...VALID, buyAmount: null, slippagePercentage: null, excludedSources: null });
    expect(response.status).toBe(200);
    expect(door.quoting.asked.at(-1)?.request.slippage).toBe(10n ** 16n);
  });

  test("lists whose elements hold commas", async () => {
    await post({ ...VALID, excludedSources: ["uniswap_v2, SushiSwap"] });
    expect(door.quoting.asked.at(-1)?.request.sources).toEqual({ kind: "without", ids: ["Uniswap_V2", "SushiSwap"] });
  });

  test.each([
    ["an unknown field", { slippagePercantage: "1" }, [["slippagePercantage", "UNKNOWN_PARAMETER"]]],
    ["a number for an amount", { sellAmount: 5 }, [["sellAmount", "INVALID_TYPE"]]],
    ["a text for a boolean", { skipValidation: "true" }, [["skipValidation", "INVALID_TYPE"]]],
    ["a text for a list", { excludedSources: "Uniswap_V2" }, [["excludedSources", "INVALID_TYPE"]]],
    ["a number in a list", { excludedSources: [7] }, [["excludedSources", "INVALID_TYPE"]]],
    ["both names of a field", { sell_amount: "5" }, [["sellAmount", "REPEATED_PARAMETER"]]],
    [
      "everything at once",
      { sellToken: "WETH", skipValidation: 1, nope: 1 },
      [
        ["sellToken", "SYMBOL_INSTEAD_OF_ADDRESS"],
        ["skipValidation", "INVALID_TYPE"],
        ["nope", "UNKNOWN_PARAMETER"],
      ],
    ],
  ])("%s", async (_, changes, expected) => {
    const response = await post({ ...VALID, ...changes });
    expect(response.status).toBe(400);
    expect(await violationsOf(response)).toEqual(expected);
  });

  test("names and values that are no Unicode text", async () => {
    const text = JSON.stringify({ ...VALID, takerAddress: "TAKER" })
      .replace("TAKER", "\\ud800")
      .replace("}", ',"\\udfff":1}');
    expect(await violationsOf(await post(text))).toEqual([
      ["takerAddress", "INVALID_TYPE"],
      ["\ufffd", "UNKNOWN_PARAMETER"],
    ]);
  });

  test("a field given twice", async () => {
    const text = JSON.stringify(VALID).replace(
      "}",
      ', "sell\\u0041mount": "2", "takerAddress": "{\\"sellToken\\":1}"}',
    );
    const response = await post(text);
    expect(await violationsOf(response)).toEqual([
      ["sellAmount", "REPEATED_PARAMETER"],
      ["takerAddress", "INVALID_ADDRESS"],
    ]);
  });

  test.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["null", "null"],
    ["nothing", ""],
  ])("a body that is %s", async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain("MALFORMED_BODY");
  });
});

describe("while the node is down", () => {
  let cut: Door;
  const find = fakeTokens.find;
  beforeAll(async () => {
    cut = await openDoor();
    Object.assign(fakeTokens, {
      find: async (address: Address) => {
        if (fakeTokens.known(address) !== undefined) return find(address);
        throw new SwapError("UNAVAILABLE", "the chain cannot be asked");
      },
    });
  });
  afterAll(async () => {
    Object.assign(fakeTokens, { find });
    await cut.server.drain(100);
  });

  test.each([
    ["a bad amount", { buyToken: TAKER, sellAmount: "-1" }, [["sellAmount", "INVALID_INTEGER"]]],
    [
      "a bad token beside one that nobody knows",
      { sellToken: "WETH", buyToken: TAKER },
      [["sellToken", "SYMBOL_INSTEAD_OF_ADDRESS"]],
    ],
    [
      "a bad fee with a recipient that nobody knows",
      { integratorPercentageFee: "2", integratorRecipientAddress: RECIPIENT },
      [["integratorPercentageFee", "OUT_OF_RANGE"]],
    ],
  ])("%s is told", async (_, changes, expected) => {
    const { status, body } = await cut.get(`/swap/v1/price?${queryOf(changes)}`);
    expect(status).toBe(400);
    const problems = body.validationErrors.map(({ field, reason }: Problems[number]) => [field, reason]);
    expect(problems).toEqual(expected);
  });

  test.each([
    ["a token that nobody knows", { buyToken: TAKER }],
    ["a recipient that nobody knows", { integratorPercentageFee: "0.01", integratorRecipientAddress: RECIPIENT }],
  ])("%s is a 503 when nothing else is wrong", async (_, changes) => {
    expect(await cut.get(`/swap/v1/price?${queryOf(changes)}`)).toMatchObject({ status: 503, body: { code: 108 } });
  });
});
