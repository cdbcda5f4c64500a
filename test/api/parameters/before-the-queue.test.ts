import { randomBytes } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { createReport } from "../../../src/api/parameters/report.ts";
import { parseToken } from "../../../src/api/parameters/token.ts";
import { createSuggestions, MAX_COMPARED } from "../../../src/api/rest/nearest-names.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

// All callers pay for a request's cost before it waits for its turn: it is bounded, whatever is in it.

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

async function post(body: string | Buffer, contentType = "application/json") {
  const headers = { "api-key": KEY, "content-type": contentType };
  const response = await fetch(door.origin + RPC, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

/** 64 characters each, as near to a name that there is as any can be. */
const LONG = Array.from({ length: 100 }, (_, i) => `${i}${"integratorPercentageFee".repeat(3)}`.slice(0, 64));
/** One letter off a name that there is. */
const NEAR = Array.from({ length: 100 }, (_, i) => `integratorPercentageFe${String.fromCharCode(0x100 + i)}`);

describe("suggestions", () => {
  const known = GetPriceRequestSchema.fields.map((field) => field.jsonName);

  test.each([
    ["long names", LONG],
    ["near names", NEAR],
    ["short names", Array.from({ length: 100 }, (_, i) => `p${i}`)],
  ])("for %s compare no more than one request may", (_, given) => {
    const suggestions = createSuggestions();
    for (const name of given) suggestions.nearest(name, known, 1);
    expect(suggestions.compared).toBeLessThanOrEqual(MAX_COMPARED);
  });

  test("do not compare names that are too short to be meant, letter by letter", () => {
    const suggestions = createSuggestions();
    expect(suggestions.nearest("x".repeat(64), known, 1)).toEqual([]);
    const lengths = known.reduce((sum, name) => sum + 64 + name.length, 0);
    expect(suggestions.compared).toBe(lengths);
  });

  test("are the same for the few names that people get wrong", () => {
    const suggestions = createSuggestions();
    const of = (name: string) => suggestions.nearest(name, known, 1)[0];
    expect(["slippagePercantage", "takeraddress", "selltoken", "gas_price", "qqqqqq"].map(of)).toEqual([
      "slippagePercentage",
      "takerAddress",
      "sellToken",
      "gasPrice",
      undefined,
    ]);
  });

  test.each([
    ["a query", (names: readonly string[]) => door.get(`${PRICE}&${names.map((name) => `${name}=1`).join("&")}`)],
    [
      "JSON",
      async (names: readonly string[]) => {
        const { status, text } = await post(
          JSON.stringify({ ...REQUEST, ...Object.fromEntries(names.map((name) => [name, 1])) }),
        );
        return { status, body: text };
      },
    ],
    ["a list of sources", (names: readonly string[]) => door.get(`${PRICE}&excludedSources=${names.join()}`)],
  ])("stand in the answer for the first wrong names of %s alone", async (_, ask) => {
    const suggested = async (names: readonly string[]) => {
      const { status, body } = await ask(names);
      expect(status).toBe(400);
      return (JSON.stringify(body).match(/Did you mean|Nearest:/g) ?? []).length;
    };
    expect(await suggested(["slippagePercantage"].concat("Sushiswop"))).toBeGreaterThan(0);
    expect(await suggested(NEAR.slice(0, 95))).toBeLessThan(40);
  });
});

test("unknown names are told one by one up to 20, the known ones once, and the rest is counted", async () => {
  const names = Array.from({ length: 100 }, () => randomBytes(32).toString("hex"));
  const { status, body } = await door.get(`${PRICE}&${names.slice(0, 90).join("=1&")}=1`);
  const told: readonly string[] = body.validationErrors.map(({ description }: { description: string }) => description);
  expect([status, told.length]).toEqual([400, 21]);
  expect(told.filter((text) => text.includes("Known: "))).toHaveLength(1);
  expect(told.at(-1)).toContain("70 more");
  const { text } = await post(JSON.stringify({ ...REQUEST, ...Object.fromEntries(names.map((name) => [name, 1])) }));
  expect(names.filter((name) => text.includes(`there is no parameter \\"${name}`))).toHaveLength(20);
});

test("a refusal does not note down where it was made", () => {
  const { stackTraceLimit } = Error;
  expect(refuse("NOT_FOUND", "nothing here").stack).not.toMatch(/\n\s+at /);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

describe("what is larger than any request is refused before it is taken apart", () => {
  test.each([
    ["nested deeper", `{"sellToken":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, "deeper than 100 levels"],
    ["more fields", `{${Array.from({ length: 6_000 }, (_, i) => `"p${i}":1`).join()}}`, "2000 commas and colons"],
    ["more fields below", `{"sellToken":{${'"a":1,'.repeat(9_000)}"b":1}}`, "2000 commas and colons"],
    ["more elements", `{"excludedSources":[${'"",'.repeat(20_000)}""]}`, "2000 commas and colons"],
  ])("JSON with %s is not even parsed", async (_, body, why) => {
    const parse = vi.spyOn(JSON, "parse");
    const { status, text } = await post(body);
    const parsed = parse.mock.calls.filter(([given]) => given.length > 10_000).length;
    parse.mockRestore();
    expect([status, parsed]).toEqual([400, 0]);
    expect(text).toContain(why);
  });

  test("a path of thousands of segments is not taken apart", async () => {
    const split = vi.spyOn(String.prototype, "split");
    const { status } = await door.get(`/${"a/".repeat(7_000)}`);
    const parts = split.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0));
    split.mockRestore();
    expect([status, Math.max(...parts) < 100]).toEqual([404, true]);
  });

  test("JSON within those limits is, whatever stands in its texts", async () => {
    const takerAddress = `${"[{:,".repeat(9_000)}\\"]}`;
    const { status, text } = await post(
      JSON.stringify({ ...REQUEST, takerAddress, excludedSources: Array(256).fill("") }),
    );
    expect([status, text.includes("INVALID_PARAMETERS"), text.includes("takerAddress must be")]).toEqual([
      400,
      true,
      true,
    ]);
  });

  test("a key that stands twice is seen with escapes in it, behind what looks like one", async () => {
    const { text } = await post('{"takerAddress":"\\"gasPrice\\":{","gasPrice":"1","g\\u0061sPrice":"2"}');
    expect(text).toContain("gasPrice was given twice");
  });

  test("protobuf with more than a thousand fields", async () => {
    const message = (count: number) =>
      Buffer.from(
        toBinary(
          GetPriceRequestSchema,
          create(GetPriceRequestSchema, { ...REQUEST, excludedSources: Array(count).fill("") }),
        ),
      );
    expect(await post(message(200), "application/proto")).toMatchObject({ status: 200 });
    const { status, text } = await post(message(20_000), "application/proto");
    expect([status, text.includes("BODY_TOO_LARGE")]).toEqual([429, true]);
  });

  test.each([
    ["parameters without a name", `${PRICE}&${"&".repeat(5_000)}`, "more than 100 parameters"],
    ["parameters", `${PRICE}&${"a&".repeat(5_000)}`, "more than 100 parameters"],
    ["encoded parameters", `${PRICE}&${"%61&".repeat(3_000)}`, "more than 100 parameters"],
    ["elements of a list", `${PRICE}&excludedSources=${",".repeat(9_000)}`, "more than 256 elements"],
    ["elements of a list in parts", `${PRICE}${"&excludedSources=a,b,c,d".repeat(90)}`, "more than 256 elements"],
  ])("a query with many %s", async (_, path, why) => {
    const { status, body } = await door.get(path);
    expect([status, JSON.stringify(body).includes(why), JSON.stringify(body).length < 4_096]).toEqual([
      400,
      true,
      true,
    ]);
  });

  test("what follows the hundredth parameter is not passed over in silence", async () => {
    const { status } = await door.get(`/swap/v1/price?${"&".repeat(101)}${new URLSearchParams(REQUEST)}`);
    expect(status).toBe(400);
  });

  test("symbols that many tokens of the list have", async () => {
    const report = createReport();
    const same = Array.from({ length: 500 }, () => USDC);
    const tokens = {
      find: async () => undefined,
      describe: async () => USDC,
      known: () => undefined,
      bySymbol: () => same,
    };
    await parseToken("sellToken", "USDC", { tokens, account: "one" }, report);
    expect(report.violations[0]?.description.match(/USDC is 0x/g)).toHaveLength(5);
  });
});

// One took two to ten seconds of the thread, all of it in a pattern for the zeros at an amount's end.
test("ten amounts with zeros for all of a body are answered, each with what it is", async () => {
  const sellAmount = `1.${"0".repeat(60_000)}1`;
  for (let i = 0; i < 10; i++) {
    const { status, text } = await post(
      JSON.stringify({ sellToken: WETH.address, buyToken: USDC.address, sellAmount }),
    );
    expect([status, text.includes("more digits than it can have")]).toEqual([400, true]);
  }
});
