import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { createChargeCall } from "../../../src/api/limits/charge.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { PendingLog } from "../../../src/quoting/answer/types.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { type FoundProblem, violationsOf } from "../../support/door/parameter-calls.ts";

/** Logs to come in requests for prices, over every protocol: what is taken, and what is refused with which words. */

const VALID = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "5" };
const POOL = `0x${"ab".repeat(20)}` as Address;
const TOPIC = `0x${"cd".repeat(32)}` as const;
const LOG: PendingLog = { address: POOL, topics: [TOPIC], data: "0x01" };

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
