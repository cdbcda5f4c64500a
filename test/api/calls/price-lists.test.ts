import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { authorize } from "../../../src/api/keys/authorize.ts";
import { createChargeCall } from "../../../src/api/limits/charge.ts";
import { MAX_PRICES } from "../../../src/api/parameters/price-lists.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { violationsOf } from "../../support/door/parameter-calls.ts";

/** Ladders and batches over every protocol, in front of a quoting that answers twice what is sold. */
type Given = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Answer = any;
interface Told {
  readonly answer?: Answer;
  readonly problems?: readonly { readonly field: string; readonly reason: string; readonly description: string }[];
}
interface Caller {
  ladder(given: Given): Promise<Told>;
  prices(requests: unknown, more?: Given): Promise<Told>;
}

const PAIR = { sellToken: WETH.address, buyToken: USDC.address };
const many = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const post = async (body: string, headers: Record<string, string> = {}, path = "/swap/v1/prices") => {
  const answer = await fetch(`${door.origin}${path}`, {
    method: "POST",
    headers: { "api-key": KEY, "content-type": "application/json", ...headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer };
};
const told = ({ status, body }: { readonly status: number; readonly body: Answer }): Told =>
  status === 200 ? { answer: body } : { problems: body.validationErrors };

const rest: Caller = {
  async ladder(given) {
    const texts = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
    return told(await door.get(`/swap/v1/ladder?${new URLSearchParams(texts)}`));
  },
  prices: async (requests, more = {}) => told(await post(JSON.stringify({ requests, ...more }))),
};

const rpc = (transport: () => Transport): Caller => {
  const client = () => createClient(SwapService, transport());
  const call = async (work: Promise<{ readonly chainId: number }>): Promise<Told> => {
    try {
      return { answer: plain(await work) };
    } catch (thrown) {
      return { problems: ConnectError.from(thrown).findDetails(BadRequestSchema)[0]?.fieldViolations ?? [] };
    }
  };
  const options = { headers: { "api-key": KEY } };
  return {
    ladder: (given) => call(client().getPriceLadder(given, options)),
    prices: (requests, more = {}) => call(client().batchGetPrices({ requests: requests as never, ...more }, options)),
  };
};

/** Oneofs as JSON has them. */
function plain(message: Answer): Answer {
  const unfolded = ({ result, ...rest }: Answer) => ({ ...rest, [result.case]: result.value });
  if ("entries" in message) return { ...message, entries: message.entries.map(unfolded) };
  return { ...message, results: message.results.map(unfolded) };
}

const PROTOCOLS: readonly (readonly [string, Caller])[] = [
  ["REST", rest],
  ["gRPC", rpc(() => createGrpcTransport({ baseUrl: door.origin }))],
  ["gRPC-Web", rpc(() => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }))],
  ["Connect", rpc(() => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }))],
];

describe.each(PROTOCOLS)("on %s", (_, caller) => {
  it("a ladder has an entry for each amount, in the order and as often as they were given", async () => {
    const { answer } = await caller.ladder({ ...PAIR, sellAmounts: ["1000", " 10 ", "1000"] });
    expect(answer.entries.map(({ amount }: Answer) => amount)).toEqual(["1000", "10", "1000"]);
    expect(answer.entries.map(({ price }: Answer) => [price.sellAmount, price.buyAmount])).toEqual([
      ...[
        ["1000", "2000"],
        ["10", "20"],
        ["1000", "2000"],
      ],
    ]);
    expect(answer).toMatchObject({ sellTokenAddress: WETH.address, buyTokenAddress: USDC.address, blockNumber: "1" });
    const bought = await caller.ladder({ ...PAIR, buyAmounts: many(MAX_PRICES) });
    expect(bought.answer.entries).toHaveLength(MAX_PRICES);
    expect(bought.answer.entries[7]).toMatchObject({ amount: "8", price: { buyAmount: "8", sellAmount: "4" } });
  });

  it("an amount that has no price says why, and the others have theirs", async () => {
    door.quoting.before = async ({ amount }) => {
      if (amount.kind === "exactIn" && amount.sellAmount === 7n)
        throw refuse("INSUFFICIENT_ASSET_LIQUIDITY", "there is not so much");
    };
    try {
      const { answer } = await caller.ladder({ ...PAIR, sellAmounts: ["6", "7", "8"] });
      expect(answer.entries.map(({ price }: Answer) => price?.buyAmount)).toEqual(["12", undefined, "16"]);
      expect(answer.entries[1].refusal).toMatchObject({
        ...{ code: 100, reason: "INSUFFICIENT_ASSET_LIQUIDITY", description: "there is not so much" },
        validationErrors: [{ field: "sellAmount", code: 1004, reason: "INSUFFICIENT_ASSET_LIQUIDITY" }],
        docs: "/docs/errors#insufficient_asset_liquidity",
      });
    } finally {
      door.quoting.before = async () => {};
    }
  });

  it("a batch answers each request as if it were alone", async () => {
    const { answer } = await caller.prices([
      { ...PAIR, sellAmount: "5" },
      { ...PAIR, sellAmount: "5", slippagePercentage: "2" },
      { sellToken: WBTC.address, buyToken: WETH.address, buyAmount: "8", takerAddress: TAKER },
      {},
    ]);
    expect(answer.results.map(({ price }: Answer) => price?.buyAmount)).toEqual(["10", undefined, "8", undefined]);
    const reasons = ({ refusal }: Answer) =>
      refusal?.validationErrors.map(({ field, reason }: Answer) => `${field} ${reason}`);
    expect(reasons(answer.results[1])).toEqual(["slippagePercentage OUT_OF_RANGE"]);
    expect(reasons(answer.results[3])).toEqual([
      ...["sellToken REQUIRED", "buyToken REQUIRED", "sellAmount REQUIRED", "buyAmount REQUIRED"],
    ]);
    expect(answer).toMatchObject({ chainId: expect.any(Number), blockNumber: "1" });
  });

  it("all of them are of the block that is asked for", async () => {
    const ladder = await caller.ladder({ ...PAIR, sellAmounts: ["1", "2"], blockNumber: "97" });
    expect(ladder.answer.blockNumber).toBe("97");
    expect(door.quoting.asked.at(-1)?.context.at?.block.number).toBe(97n);
    const request = { ...PAIR, sellAmount: "5" };
    const { answer } = await caller.prices([{ sellToken: "x" }, request, { ...request, blockNumber: "97" }], {
      blockNumber: "98",
    });
    expect([answer.blockNumber, door.quoting.asked.at(-1)?.context.at?.block.number]).toEqual(["98", 98n]);
    expect(answer.results[1].price.buyAmount).toBe("10");
    expect(answer.results[2].refusal.validationErrors).toMatchObject([{ field: "blockNumber", reason: "CONFLICT" }]);
    for (const blockNumber of ["89", "95", "x", ""]) {
      const told = [
        await caller.prices([request], { blockNumber }),
        await caller.ladder({ ...PAIR, sellAmounts: ["1"], blockNumber }),
      ];
      for (const { problems } of told) expect(problems?.map(({ field }) => field)).toEqual(["blockNumber"]);
    }
  });
});

describe("a POST over REST", () => {
  const body = JSON.stringify({ requests: [{ ...PAIR, sellAmount: "5" }] });

  it("is the only method at its path, as GET is elsewhere", async () => {
    const got = await door.get("/swap/v1/prices");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const posted = await post(body, {}, "/swap/v1/ladder");
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await post(body, {}, "/swap/v1/prices/")).status).toBe(200);
  });

  it.each([
    ["another content type", body, { "content-type": "text/plain" }, "", 415],
    ["a charset that is not read", body, { "content-type": "application/json; charset=latin1" }, "", 415],
    ["a compression that is not read", body, { "content-encoding": "br" }, "", 415],
    ["parameters in the query too", body, {}, "?sellToken=1", 400],
    ["no body", "", {}, "", 400],
    ["no JSON", "{", {}, "", 400],
    ["no object", "[]", {}, "", 400],
    ["a body that is too large", JSON.stringify({ requests: [{ sellToken: "1".repeat(70_000) }] }), {}, "", 413],
    ["an unknown field", JSON.stringify({ request: [] }), {}, "", 400],
    ["an unknown field inside", JSON.stringify({ requests: [{ ...PAIR, slippagePercantage: "0" }] }), {}, "", 400],
    ["a number for an amount", JSON.stringify({ requests: [{ ...PAIR, sellAmount: 5 }] }), {}, "", 400],
    ["a text for the list", JSON.stringify({ requests: "all" }), {}, "", 400],
    ["a request that is null", JSON.stringify({ requests: [null] }), {}, "", 400],
  ])("with %s is refused", async (_, sent, headers, query, status) => {
    const answer = await post(sent, headers as Record<string, string>, `/swap/v1/prices${query}`);
    expect(answer.status).toBe(status);
    expect(answer.body.description).toBeTruthy();
    expect(door.log.filter(({ msg }) => msg === "call failed")).toEqual([]);
  });

  const pair = JSON.stringify(PAIR).slice(1, -1);
  it.each([
    ["a field that does not exist", `{${pair},"slippagePercantage":"0"}`, "slippagePercantage", "UNKNOWN_PARAMETER"],
    ["a number for an amount", `{${pair},"sellAmount":5}`, "sellAmount", "INVALID_TYPE"],
    ["a text for a list", `{${pair},"sellAmount":"5","excludedPools":"x"}`, "excludedPools", "INVALID_TYPE"],
    ["an amount twice", `{${pair},"sellAmount":"5","sellAmount":"6"}`, "sellAmount", "REPEATED_PARAMETER"],
    ["an amount under both names", `{${pair},"sellAmount":"5","sell_amount":"6"}`, "sellAmount", "REPEATED_PARAMETER"],
    [
      "an amount twice, in escapes",
      `{${pair},"sellAmount":"5","\\u0073ellAmount":"6"}`,
      "sellAmount",
      "REPEATED_PARAMETER",
    ],
  ])("names the place of %s, over REST and Connect", async (_, entry, field, reason) => {
    const text = `{"requests":[{${pair},"sellAmount":"5"},${entry}]}`;
    const expected = [{ field: `requests[1].${field}`, reason }];
    const { status, body: told } = await post(text);
    expect(status).toBe(400);
    expect(told.validationErrors).toMatchObject(expected);
    const { body: error } = await post(text, {}, "/swap.v1.SwapService/BatchGetPrices");
    expect(violationsOf(error)).toMatchObject(expected);
    expect(told.validationErrors[0].description.length).toBeGreaterThan(20);
  });

  it("tells a hundred problems of a batch and counts the others", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`wrong${at}`, ""]));
    const { body: told } = await post(JSON.stringify({ requests: Array.from({ length: 32 }, () => wrong) }));
    expect(told.validationErrors).toHaveLength(101);
    expect(told.validationErrors.at(-1).description).toMatch(/^380 more problems/);
  });
});

it.each(["GetPriceLadder", "BatchGetPrices"])("the scope of prices opens %s, and no other does", (method) => {
  const call = { method, origin: undefined };
  expect(() => authorize({ keyId: "k", methods: ["GetPrice"] }, call)).not.toThrow();
  expect(() => authorize({ keyId: "k", methods: ["GetQuote", "ListSources"] }, call)).toThrow(/may not call/);
});

describe("what several prices cost", () => {
  it("is a unit for each, charged before they are made", async () => {
    const limited = await openDoor({}, undefined, 31337, {
      charge: createChargeCall(createMemoryLimiter(), { unitsPerSecond: 0.001, burst: 40 }),
    });
    const left = async (path: string) => {
      const { status, headers } = await limited.get(path);
      return [status, headers.get("ratelimit")?.match(/r=(\d+)/)?.[1]];
    };
    const ladder = (count: number) =>
      `/swap/v1/ladder?${new URLSearchParams({ ...PAIR, sellAmounts: many(count).join() })}`;
    expect(await left(ladder(32))).toEqual([200, "8"]);
    expect(await left(ladder(9))).toEqual([429, expect.any(String)]);
    expect(limited.quoting.asked).toHaveLength(32);
    await limited.server.drain(100);
  });

  it("is a unit of a list of tokens for each ten addresses begun that have to be looked up, charged before they are", async () => {
    const limited = await openDoor({}, undefined, 31337, {
      charge: createChargeCall(createMemoryLimiter(), { unitsPerSecond: 0.001, burst: 20 }),
    });
    const left = async (addresses: readonly string[]) => {
      const { status, headers } = await limited.get(`/swap/v1/tokens?addresses=${addresses.join()}`);
      return [status, headers.get("ratelimit")?.match(/r=(\d+)/)?.[1]];
    };
    const unknown = (count: number) =>
      Array.from({ length: count }, (_, at) => `0x${String(at + 1e9).padStart(40, "5")}`);
    expect(await left([WETH.address, USDC.address])).toEqual([200, "19"]);
    expect(await left([WETH.address, ...unknown(10)])).toEqual([200, "18"]);
    expect(await left(unknown(11))).toEqual([200, "16"]);
    expect(await left(unknown(100))).toEqual([200, "6"]);
    expect(await left(unknown(100))).toEqual([429, expect.any(String)]);
    expect(limited.listing.asked).toHaveLength(4);
    await limited.server.drain(100);
  });

  it("is nothing more than they are at a time, and they end with their caller", async () => {
    const signals: AbortSignal[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    door.quoting.before = async (_, { signal }) => {
      signals.push(signal);
      resolve();
      await new Promise((end) => signal.addEventListener("abort", end));
    };
    try {
      const controller = new AbortController();
      const query = new URLSearchParams({ ...PAIR, sellAmounts: many(32).join() });
      const call = fetch(`${door.origin}/swap/v1/ladder?${query}`, {
        headers: { "api-key": KEY },
        signal: controller.signal,
      });
      await promise;
      controller.abort();
      await expect(call).rejects.toThrow();
      await expect.poll(() => signals.every(({ aborted }) => aborted)).toBe(true);
      expect(signals.length).toBeLessThanOrEqual(4);
    } finally {
      door.quoting.before = async () => {};
    }
  });
});
