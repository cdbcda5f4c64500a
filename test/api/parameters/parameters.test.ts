import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeTokens, GATEWAY, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { RECIPIENT } from "./tables/row.ts";
import { VALID } from "./tables/swap.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Changes of VALID; undefined takes a parameter away. */
type Parameters = Record<string, string | undefined>;

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
  test("a repeated parameter", async () => {
    const [problem] = await problemsOf(`${queryOf({})}&sellAmount=2`);
    expect(problem).toMatchObject({ field: "sellAmount", code: 1001, reason: "REPEATED_PARAMETER" });
  });

  test.each([
    ["a fee", "integratorPercentageFee=0.01&integratorPercentageFee=0.01", `integratorRecipientAddress=${RECIPIENT}`],
    ["a fee's recipient", `${"integratorRecipientAddress=0x33&".repeat(2)}`, "integratorPercentageFee=0.01"],
  ])("%s that is repeated is not missing too", async (_, repeated, partner) => {
    const problems = await problemsOf(`${queryOf({})}&${repeated}&${partner}`);
    expect(problems.map(({ reason }) => reason)).toEqual(["REPEATED_PARAMETER"]);
  });

  test("a repeated amount stands beside the other one all the same", async () => {
    const problems = await problemsOf(`${queryOf({})}&sellAmount=2&buyAmount=1`);
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual([
      ["sellAmount", "REPEATED_PARAMETER"],
      ["sellAmount", "CONFLICT"],
      ["buyAmount", "CONFLICT"],
    ]);
  });

  test("a parameter under both of its names", async () => {
    const [problem] = await problemsOf(`${queryOf({})}&sell_amount=2`);
    expect(problem).toMatchObject({ field: "sellAmount", reason: "REPEATED_PARAMETER" });
  });

  test("one problem alone is told by the refusal itself", async () => {
    const { body } = await door.get(`/swap/v1/price?${queryOf({ slippagePercentage: "9" })}`);
    expect(body.description).toMatch(/^slippagePercentage must be between 0 and 1\./);
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
  test("a quote is validated unless it is asked not to", async () => {
    expect((await requestOf(queryOf({}), "quote")).skipValidation).toBe(false);
    expect((await requestOf(queryOf({ skipValidation: "true" }), "quote")).skipValidation).toBe(true);
  });

  test("proto names, repeated lists and percent signs", async () => {
    const query = `sell_token=${WETH.address}&buyToken=%30x${USDC.address.slice(2)}&sell_amount=5`;
    const request = await requestOf(`${query}&excludedSources=uniswap_v2&excludedSources=SushiSwap`);
    expect(request.sources).toEqual({ kind: "without", ids: ["Uniswap_V2", "SushiSwap"] });
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

describe("an integrator's profile whose fees would be lost", () => {
  test.each([
    ["a token", WBTC.address, /token/],
    ["the wrapped native token", WETH.address, /token/],
    ["a contract of ours", GATEWAY, /settlement contract/],
  ])("is refused: %s", async (_, recipient, why) => {
    const verify = (ratePpm: bigint) => () => ({ keyId: "profile", integrator: { recipient, ratePpm } });
    const own = await openDoor({}, { verify: verify(1000n) });
    const answer = await own.get(`/swap/v1/price?${queryOf({})}`);
    expect(answer.status).toBe(400);
    const { validationErrors } = answer.body;
    expect(validationErrors).toMatchObject([{ field: "integratorRecipientAddress", reason: "INVALID_RECIPIENT" }]);
    expect(validationErrors[0]?.description).toMatch(why);
    await own.server.drain(100);
    const free = await openDoor({}, { verify: verify(0n) });
    expect((await free.get(`/swap/v1/price?${queryOf({})}`)).status).toBe(200);
    await free.server.drain(100);
  });
});

describe("a share of surplus", () => {
  const recipient = toAddress(`0x${"5a".repeat(20)}`);
  const surplusOf = async (surplus: { recipient: Address; ratePpm: bigint } | undefined) => {
    const own = await openDoor({}, { verify: () => ({ keyId: "profile", ...(surplus && { surplus }) }) });
    const answer = await own.get(`/swap/v1/price?${queryOf({})}`);
    await own.server.drain(100);
    return answer;
  };

  test("is the profile's, and told by every answer", async () => {
    const { body } = await surplusOf({ recipient, ratePpm: 100_000n });
    const { buyAmount, buyTokenAddress: token } = body;
    expect(body.fees.surplus).toEqual({ share: "0.1", quotedAmount: buyAmount, token, recipient });
    expect((await surplusOf(undefined)).body.fees.surplus).toBeNull();
  });

  test.each([
    ["a token", WBTC.address],
    ["the wrapped native token", WETH.address],
    ["a contract of ours", GATEWAY],
  ])("is refused where it would be lost: %s", async (_, lost) => {
    const { status, body } = await surplusOf({ recipient: lost, ratePpm: 1n });
    expect([status, body.validationErrors[0]?.reason]).toEqual([400, "INVALID_RECIPIENT"]);
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

  test.each([
    ["a number", 5, "5"],
    ["a list", ["5"], '["5"]'],
    ["a long list", ["9".repeat(100)], `["${"9".repeat(78)}…`],
    ["a list that is cut within a character", [`${"9".repeat(77)}😀`], `["${"9".repeat(77)}\ufffd…`],
  ])("%s for an amount is shown as it was sent", async (_, sellAmount, given) => {
    const text = JSON.stringify(await (await post({ ...VALID, sellAmount })).json());
    expect(text).toContain(JSON.stringify(`sellAmount must be a JSON string. Given: ${given}.`).slice(1, -1));
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
        throw refuse("UNAVAILABLE", "the chain cannot be asked");
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
