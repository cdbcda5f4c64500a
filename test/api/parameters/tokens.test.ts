import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { FAKE_TOKENS } from "../../../fixtures/door/fake-listing.ts";
import { BARE, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { cursorOf } from "../../../src/api/parameters/tokens-request.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { TokenQuery } from "../../../src/quoting/tokens/token-directory.ts";
import { placeOf } from "../../../src/quoting/tokens/token-ranking.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { violationsOf } from "../../support/door/parameter-calls.ts";

/** Every parameter of ListTokens, good, at its edges and bad, on every protocol. */
interface Given {
  readonly search?: string;
  readonly addresses?: readonly string[];
  readonly pageSize?: number;
  readonly cursor?: string;
}
type Problem = readonly [field: string, reason: string, says?: RegExp];

const PLACE = placeOf(USDC.address, 10n ** 19n);
const CURSOR = cursorOf(PLACE, undefined);
const many = (count: number) => Array.from({ length: count }, (_, n) => `0x${(n + 1).toString(16).padStart(40, "0")}`);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const ACCEPTED: readonly (readonly [name: string, given: Given, expected: TokenQuery])[] = [
  ["nothing", {}, { kind: "page", most: 50 }],
  ["a search", { search: "usd" }, { kind: "page", most: 50, search: "usd" }],
  [
    "a search in capitals, with spaces around",
    { search: "  USD Coin " },
    { kind: "page", most: 50, search: "usd coin" },
  ],
  ["a search of one character", { search: "u" }, { kind: "page", most: 50, search: "u" }],
  ["a search of 64 characters", { search: "x".repeat(64) }, { kind: "page", most: 50, search: "x".repeat(64) }],
  ["a search in other letters", { search: "ÜSD₮" }, { kind: "page", most: 50, search: "üsd₮" }],
  ["a page of one", { pageSize: 1 }, { kind: "page", most: 1 }],
  ["the largest page", { pageSize: 100 }, { kind: "page", most: 100 }],
  ["a cursor", { cursor: CURSOR, pageSize: 2 }, { kind: "page", most: 2, after: PLACE }],
  [
    "a cursor of the same search",
    { cursor: cursorOf(PLACE, "usd"), search: "USD" },
    { kind: "page", most: 50, after: PLACE, search: "usd" },
  ],
  [
    "two addresses",
    { addresses: [WETH.address, NATIVE_TOKEN] },
    { kind: "addresses", addresses: [WETH.address, NATIVE_TOKEN], account: "preset" },
  ],
  [
    "an address with checksum",
    { addresses: ["0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"] },
    { kind: "addresses", addresses: [WETH.address], account: "preset" },
  ],
  ["100 addresses", { addresses: many(100) }, { kind: "addresses", addresses: many(100) as never, account: "preset" }],
];

const REFUSED: readonly (readonly [name: string, given: Given, ...expected: Problem[]])[] = [
  ["an empty search", { search: "" }, ["search", "OUT_OF_RANGE", /leave it out/]],
  ["a search of spaces", { search: "   " }, ["search", "OUT_OF_RANGE", /empty/]],
  ["a search of 65 characters", { search: "x".repeat(65) }, ["search", "OUT_OF_RANGE", /64 characters/]],
  ["an empty page", { pageSize: 0 }, ["pageSize", "OUT_OF_RANGE", /between 1 and 100. Given: 0/]],
  ["a page of 101", { pageSize: 101 }, ["pageSize", "OUT_OF_RANGE"]],
  ["a page of all", { pageSize: 4_294_967_295 }, ["pageSize", "OUT_OF_RANGE"]],
  ["an empty cursor", { cursor: "" }, ["cursor", "INVALID_CURSOR", /nextCursor of a page/]],
  ["a cursor that is none", { cursor: "abc" }, ["cursor", "INVALID_CURSOR"]],
  ["a cursor that is far too long", { cursor: "A".repeat(5_000) }, ["cursor", "INVALID_CURSOR"]],
  ["a cursor cut short", { cursor: CURSOR.slice(0, -9) }, ["cursor", "INVALID_CURSOR"]],
  ["a cursor with another place", { cursor: encoded(["00WETH", ""]) }, ["cursor", "INVALID_CURSOR"]],
  ["a cursor of three parts", { cursor: encoded([PLACE, "", 1]) }, ["cursor", "INVALID_CURSOR"]],
  ["a cursor that is an object", { cursor: encoded({ place: PLACE }) }, ["cursor", "INVALID_CURSOR"]],
  [
    "a cursor of another search",
    { cursor: cursorOf(PLACE, "usd"), search: "eth" },
    ["cursor", "INVALID_CURSOR", /belongs to the search "usd"/],
  ],
  ["a cursor of a search without it", { cursor: cursorOf(PLACE, "usd") }, ["cursor", "INVALID_CURSOR"]],
  ["an empty address", { addresses: [""] }, ["addresses", "INVALID_ADDRESS"]],
  ["a symbol for an address", { addresses: ["WETH"] }, ["addresses", "INVALID_ADDRESS"]],
  ["the zero address", { addresses: [`0x${"0".repeat(40)}`] }, ["addresses", "ZERO_ADDRESS"]],
  [
    "a wrong checksum",
    { addresses: ["0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2"] },
    ["addresses", "INVALID_CHECKSUM"],
  ],
  ["101 addresses", { addresses: many(101) }, ["addresses", "OUT_OF_RANGE", /more than 100/]],
  [
    "addresses with everything else",
    { addresses: [WETH.address], search: "a", pageSize: 5, cursor: cursorOf(PLACE, "a") },
    ["search", "CONFLICT", /addresses/],
    ["pageSize", "CONFLICT"],
    ["cursor", "CONFLICT"],
  ],
  ["two things at once", { search: "", pageSize: 0 }, ["search", "OUT_OF_RANGE"], ["pageSize", "OUT_OF_RANGE"]],
];

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

type Found = readonly { field: string; reason: string; description: string }[];
type Call = (given: Given) => Promise<Found>;

const rest: Call = async ({ addresses, ...given }) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) query.set(name, String(value));
  if (addresses !== undefined) query.set("addresses", addresses.join(","));
  const { body } = await door.get(`/swap/v1/tokens?${query}`);
  return body.validationErrors ?? [];
};

const rpc =
  (transport: () => Transport): Call =>
  async ({ addresses, ...given }) => {
    const client = createClient(SwapService, transport());
    try {
      await client.listTokens({ ...given, ...(addresses && { addresses: [...addresses] }) }, WITH_KEY);
      return [];
    } catch (thrown) {
      return ConnectError.from(thrown).findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    }
  };
const WITH_KEY = { headers: { "api-key": KEY } };

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  gRPC: () => createGrpcTransport({ baseUrl: door.origin }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
  Connect: () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
};
const PROTOCOLS: readonly (readonly [string, Call])[] = [
  ["REST", rest],
  ...Object.entries(TRANSPORTS).map(([name, transport]) => [name, rpc(transport)] as const),
];

describe.each(PROTOCOLS)("on %s", (_, call) => {
  test.each(ACCEPTED)("%s is accepted", async (_name, given, expected) => {
    expect(await call(given)).toEqual([]);
    expect(door.listing.asked.at(-1)).toEqual(expected);
  });

  const refused = REFUSED.map(([name, given, ...expected]) => [name, given, expected] as const);
  test.each(refused)("%s is refused", async (_name, given, expected) => {
    const before = door.listing.asked.length;
    const problems = await call(given);
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual(
      expected.map(([field, reason]) => [field, reason]),
    );
    expected.forEach(([, , says], at) => {
      if (says !== undefined) expect(problems[at]?.description).toMatch(says);
    });
    expect(door.listing.asked).toHaveLength(before);
  });
});

describe("in a query alone", () => {
  test.each([
    ["pageSize=ten", "pageSize", "INVALID_TYPE"],
    ["pageSize=-1", "pageSize", "INVALID_TYPE"],
    ["pageSize=1.5", "pageSize", "INVALID_TYPE"],
    ["page_size=0", "pageSize", "OUT_OF_RANGE"],
    ["pageSize=1&pageSize=2", "pageSize", "REPEATED_PARAMETER"],
    ["serach=usd", "serach", "UNKNOWN_PARAMETER"],
    ["search=a&search=b", "search", "REPEATED_PARAMETER"],
  ])("%s", async (query, field, reason) => {
    const { status, body } = await door.get(`/swap/v1/tokens?${query}`);
    expect(status).toBe(400);
    expect(body.validationErrors).toMatchObject([{ field, reason }]);
  });

  test("a parameter of the chain's description", async () => {
    const { status, body } = await door.get("/swap/v1/chain?chainId=1");
    expect(status).toBe(400);
    expect(body.validationErrors).toMatchObject([{ field: "chainId", reason: "UNKNOWN_PARAMETER" }]);
  });
});

test.each([-1, 1.5, 2 ** 32])(
  "a page of %d is refused with the sizes that there are, over REST and Connect",
  async (size) => {
    const { body } = await door.get(`/swap/v1/tokens?pageSize=${size}`);
    const expected = [{ field: "pageSize", description: expect.stringMatching(/between 1 and 100\. Given: .*\d/) }];
    expect(body.validationErrors).toMatchObject(expected);
    const answer = await fetch(`${door.origin}/swap.v1.SwapService/ListTokens`, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify({ pageSize: size }),
    });
    expect(violationsOf((await answer.json()) as Parameters<typeof violationsOf>[0])).toMatchObject(expected);
  },
);

test("a page says the same on every protocol, and its cursor is where the next begins", async () => {
  const { body } = await door.get("/swap/v1/tokens?pageSize=3");
  expect(body.tokens).toHaveLength(3);
  expect(body.tokens[2]).toEqual({
    ...{ address: USDC.address, symbol: "USDC", name: "USDC", decimals: 6 },
    ...{ nativeRate: "2500.1", depth: "10000000000000000000", pools: "2", keptOut: null },
  });
  expect(body).toMatchObject({ blockNumber: "100", blockTimestamp: "1700000000", nextCursor: CURSOR });
  for (const transport of Object.values(TRANSPORTS)) {
    const answer = await createClient(SwapService, transport()).listTokens({ pageSize: 3 }, WITH_KEY);
    expect(answer.nextCursor).toBe(CURSOR);
    expect(answer.tokens.map(({ address, nativeRate }) => [address, nativeRate])).toEqual(
      body.tokens.map((token: { address: string; nativeRate: string }) => [token.address, token.nativeRate]),
    );
  }
});

test("what is not known is null, and a token without decimals() counts whole units", async () => {
  const { body } = await door.get("/swap/v1/tokens");
  expect(body.nextCursor).toBeNull();
  expect(body.tokens).toHaveLength(FAKE_TOKENS.length);
  const [bare, unknown] = body.tokens.slice(-2);
  expect(body.tokens[3]).toMatchObject({ address: WBTC.address, keptOut: "refuses transfers (paused)", depth: null });
  expect(bare).toMatchObject({ address: BARE.address, decimals: 0, wholeUnits: true, nativeRate: "0" });
  expect(unknown).toMatchObject({ symbol: "", name: "", decimals: null, nativeRate: "0", depth: null, pools: "1" });
  expect(unknown).not.toHaveProperty("wholeUnits");
});

test("the chain says the same on every protocol", async () => {
  const { status, body } = await door.get("/swap/v1/chain");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    chainId: 31337,
    nativeToken: { address: NATIVE_TOKEN, symbol: "ETH", decimals: 18 },
    wrappedNative: WETH.address,
    block: { blockNumber: "100", gasPrice: "1000000000", ageSeconds: expect.stringMatching(/^\d+$/) },
    unavailable: null,
    contracts: { deployed: true },
    limits: { maxHops: 4, maxFills: 32, maxPageSize: 100, maxAddresses: 100, quoteTtlSeconds: 120 },
  });
  expect(body).not.toHaveProperty("explorer");
  for (const transport of Object.values(TRANSPORTS)) {
    const answer = await createClient(SwapService, transport()).getChain({}, WITH_KEY);
    expect(answer).toMatchObject({ chainId: body.chainId, contracts: body.contracts, limits: body.limits });
    expect(answer.block?.blockHash).toBe(body.block.blockHash);
  }
});
