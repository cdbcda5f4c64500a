import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { TAKER, USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { createChargeCall } from "../../../src/api/limits/charge.ts";
import { MOST_LOGS } from "../../../src/api/parameters/overrides.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { PendingLog } from "../../../src/quoting/answer/types.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { type FoundProblem, violationsOf } from "../../support/door/parameter-calls.ts";

/** Logs to come in requests for prices, over every protocol: what is taken, and what is refused with which words. */
type Given = Readonly<Record<string, unknown>>;
type Ask = (given: Given) => Promise<readonly FoundProblem[]>;

const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "5" };
const POOL = `0x${"ab".repeat(20)}` as Address;
const TOPIC = `0x${"cd".repeat(32)}` as const;
const LOG: PendingLog = { address: POOL, topics: [TOPIC], data: "0x01" };
const logs = (count: number) => Array.from({ length: count }, () => LOG);

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

async function post(text: string, path = "/swap/v1/price", headers: Readonly<Record<string, string>> = {}) {
  const init = { "api-key": KEY, "content-type": "application/json", ...headers };
  const answer = await fetch(`${door.origin}${path}`, { method: "POST", headers: init, body: text });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  return { status: answer.status, body: (await answer.json()) as any };
}
const rest: Ask = async (given) => (await post(JSON.stringify(given))).body.validationErrors ?? [];
const rpc =
  (transport: () => Transport): Ask =>
  async (given) => {
    try {
      await createClient(SwapService, transport()).getPrice(given, { headers: { "api-key": KEY } });
      return [];
    } catch (thrown) {
      return ConnectError.from(thrown).findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    }
  };
const PROTOCOLS: readonly (readonly [string, Ask])[] = [
  ["REST", rest],
  ["gRPC", rpc(() => createGrpcTransport({ baseUrl: door.origin }))],
  ["gRPC-Web", rpc(() => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }))],
  ["Connect", rpc(() => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }))],
];

const TAKEN: readonly (readonly [
  name: string,
  overrides: readonly object[],
  expected: readonly PendingLog[] | undefined,
])[] = [
  ["none", [], undefined],
  ["one log", [LOG], [LOG]],
  ["a log without data", [{ address: POOL, topics: [TOPIC] }], [{ ...LOG, data: "0x" }]],
  [
    "four topics",
    [{ ...LOG, topics: [TOPIC, TOPIC, TOPIC, TOPIC] }],
    [{ ...LOG, topics: [TOPIC, TOPIC, TOPIC, TOPIC] }],
  ],
  [
    "capitals",
    [{ address: `0x${POOL.slice(2).toUpperCase()}`, topics: [`0x${TOPIC.slice(2).toUpperCase()}`], data: "0xAB" }],
    [{ ...LOG, data: "0xab" }],
  ],
  ["as many as may be", logs(MOST_LOGS), logs(MOST_LOGS)],
];

type Problem = readonly [field: string, reason: string, says?: RegExp];
const REFUSED: readonly (readonly [name: string, given: Given, ...expected: Problem[]])[] = [
  ["one too many", { overrides: logs(MOST_LOGS + 1) }, ["overrides", "OUT_OF_RANGE", /more than 64/]],
  ["a log without an address", { overrides: [LOG, { topics: [TOPIC] }] }, ["overrides[1].address", "REQUIRED"]],
  [
    "an address cut short",
    { overrides: [{ ...LOG, address: POOL.slice(0, -1) }] },
    ["overrides[0].address", "INVALID_ADDRESS", /39/],
  ],
  ["a name", { overrides: [{ ...LOG, address: "USDC/WETH" }] }, ["overrides[0].address", "INVALID_ADDRESS"]],
  [
    "the zero address",
    { overrides: [{ ...LOG, address: `0x${"00".repeat(20)}` }] },
    ["overrides[0].address", "ZERO_ADDRESS"],
  ],
  [
    "no topic",
    { overrides: [{ ...LOG, topics: [] }] },
    ["overrides[0].topics", "OUT_OF_RANGE", /has 0 elements.*1 to 4/],
  ],
  ["five topics", { overrides: [{ ...LOG, topics: Array(5).fill(TOPIC) }] }, ["overrides[0].topics", "OUT_OF_RANGE"]],
  [
    "a topic cut short",
    { overrides: [{ ...LOG, topics: [TOPIC, "0x12"] }] },
    ["overrides[0].topics", "INVALID_LOG", /"0x12"/],
  ],
  [
    "a topic that is no hex",
    { overrides: [{ ...LOG, topics: ["Sync"] }] },
    ["overrides[0].topics", "INVALID_LOG", /64 hex/],
  ],
  ["half a byte", { overrides: [{ ...LOG, data: "0x012" }] }, ["overrides[0].data", "INVALID_LOG", /two hex digits/]],
  ["data without 0x", { overrides: [{ ...LOG, data: "01" }] }, ["overrides[0].data", "INVALID_LOG"]],
  ["no data at all", { overrides: [{ ...LOG, data: "" }] }, ["overrides[0].data", "INVALID_LOG"]],
  [
    "problems of several logs",
    { overrides: [{ ...LOG, address: "x" }, LOG, { ...LOG, data: "y" }], maxHops: "0" },
    ["maxHops", "OUT_OF_RANGE"],
    ["overrides[0].address", "INVALID_ADDRESS"],
    ["overrides[2].data", "INVALID_LOG"],
  ],
  ["a taker", { overrides: [LOG], takerAddress: TAKER }, ["overrides", "CONFLICT", /takerAddress/]],
  ["a simulation", { overrides: [LOG], skipValidation: false }, ["overrides", "CONFLICT", /skipValidation/]],
];

describe.each(PROTOCOLS)("on %s", (_, ask) => {
  test.each(TAKEN)("%s: taken", async (_name, overrides, expected) => {
    expect(await ask({ ...VALID, overrides, skipValidation: true })).toEqual([]);
    expect(door.quoting.asked.at(-1)?.request.overrides).toEqual(expected);
  });

  const refused = REFUSED.map(([name, given, ...expected]) => [name, given, expected] as const);
  test.each(refused)("%s: refused", async (_name, given, expected) => {
    const asked = door.quoting.asked.length;
    const problems = await ask({ ...VALID, ...given });
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual(
      expected.map(([field, reason]) => [field, reason]),
    );
    expected.forEach(([, , says], at) => {
      if (says !== undefined) expect(problems[at]?.description).toMatch(says);
    });
    expect(door.quoting.asked).toHaveLength(asked);
  });
});

describe("in JSON", () => {
  const CONNECT = "/swap.v1.SwapService/GetPrice";
  const body = (overrides: string) => `${JSON.stringify(VALID).slice(0, -1)},"overrides":${overrides}}`;
  const inner = JSON.stringify(LOG).slice(1, -1);
  const cases: readonly (readonly [string, string, string, string, RegExp?])[] = [
    ["an object", JSON.stringify(LOG), "overrides", "INVALID_TYPE", /JSON array/],
    ["a text", JSON.stringify("[]"), "overrides", "INVALID_TYPE"],
    ["an address alone", JSON.stringify([POOL]), "overrides[0]", "INVALID_TYPE", /JSON object/],
    ["null among logs", `[${JSON.stringify(LOG)},null]`, "overrides[1]", "INVALID_TYPE"],
    ["topics that are one text", JSON.stringify([{ ...LOG, topics: TOPIC }]), "overrides[0].topics", "INVALID_TYPE"],
    ["numbers in topics", JSON.stringify([{ ...LOG, topics: [1] }]), "overrides[0].topics", "INVALID_TYPE"],
    ["data as a number", JSON.stringify([{ ...LOG, data: 1 }]), "overrides[0].data", "INVALID_TYPE"],
    [
      "another field of a log",
      JSON.stringify([{ ...LOG, logIndex: "0x1" }]),
      "overrides[0].logIndex",
      "UNKNOWN_PARAMETER",
    ],
    ["data twice", `[{${inner},"data":"0x02"}]`, "overrides[0].data", "REPEATED_PARAMETER", /given twice/],
    ["data twice, once in escapes", `[{${inner},"d\\u0061ta":"0x02"}]`, "overrides[0].data", "REPEATED_PARAMETER"],
    ["overrides twice", `[],"overrides":[]`, "overrides", "REPEATED_PARAMETER"],
  ];
  const named = cases.map(([name, overrides, field, reason, says = /./]) => ({ name, overrides, field, reason, says }));
  test.each(named)("$name: refused", async ({ overrides, field, reason, says }) => {
    const told = await post(body(overrides));
    expect(told.body.validationErrors).toMatchObject([{ field, reason, description: expect.stringMatching(says) }]);
    expect(violationsOf((await post(body(overrides), CONNECT)).body)).toMatchObject([{ field, reason }]);
  });

  it("a query cannot hold logs, and says what can", async () => {
    const { body: answer } = await door.get(`/swap/v1/price?${new URLSearchParams({ ...VALID, overrides: "[]" })}`);
    expect(answer.validationErrors).toMatchObject([
      { field: "overrides", reason: "INVALID_TYPE", description: expect.stringMatching(/body of JSON \(POST\)/) },
    ]);
  });

  it("a POST is answered as the GET is, and never with the answer to another one", async () => {
    door.state.epoch = {};
    for (const sellAmount of ["5", "6", "7"])
      for (let times = 0; times < 3; times++) {
        const { status, body: answer } = await post(JSON.stringify({ ...VALID, sellAmount }));
        expect([status, answer.sellAmount]).toEqual([200, sellAmount]);
        const got = await door.get(`/swap/v1/price?${new URLSearchParams({ ...VALID, sellAmount })}`);
        expect(got.body).toEqual({ ...answer, requestId: got.body.requestId });
      }
    door.state.epoch = undefined;
  });

  it("quotes, streams, ladders and batches take none", async () => {
    for (const [method, given] of [
      ["GetQuote", VALID],
      ["GetPriceLadder", { ...VALID, sellAmount: undefined, sellAmounts: ["1"] }],
    ] as const) {
      const { body: error } = await post(
        JSON.stringify({ ...given, overrides: [LOG] }),
        `/swap.v1.SwapService/${method}`,
      );
      expect(violationsOf(error)).toMatchObject([{ field: "overrides", reason: "UNKNOWN_PARAMETER" }]);
    }
    const { body: batch } = await post(
      JSON.stringify({ requests: [{ ...VALID, overrides: [LOG] }, VALID] }),
      "/swap/v1/prices",
    );
    const [first, second] = batch.results;
    expect(first.refusal.validationErrors).toMatchObject([{ field: "overrides", reason: "CONFLICT" }]);
    expect(second.price.sellAmount).toBe("5");
  });
});

describe("the operator", () => {
  it("allows them, or they are refused", async () => {
    const strict = await openDoor({}, undefined, 31337, { allowsOverrides: false });
    try {
      const answer = await fetch(`${strict.origin}/swap/v1/price`, {
        method: "POST",
        headers: { "api-key": KEY, "content-type": "application/json" },
        body: JSON.stringify({ ...VALID, overrides: [LOG] }),
      });
      const told = (await answer.json()) as { readonly validationErrors: readonly FoundProblem[] };
      expect([answer.status, told.validationErrors[0]?.reason]).toEqual([400, "NOT_ALLOWED"]);
      expect(told.validationErrors[0]?.description).toContain("PRICE_OVERRIDES");
    } finally {
      await strict.server.drain(1_000);
    }
  });

  it("has them charged as five prices", async () => {
    const limited = await openDoor({}, undefined, 31337, {
      charge: createChargeCall(createMemoryLimiter(), { unitsPerSecond: 0.001, burst: 8 }),
    });
    const ask = async () =>
      (
        await fetch(`${limited.origin}/swap/v1/price`, {
          method: "POST",
          headers: { "api-key": KEY, "content-type": "application/json" },
          body: JSON.stringify({ ...VALID, overrides: [LOG] }),
        })
      ).status;
    try {
      expect([await ask(), await ask()]).toEqual([200, 429]);
    } finally {
      await limited.server.drain(1_000);
    }
  });
});
