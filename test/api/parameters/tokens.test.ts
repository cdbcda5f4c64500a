import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { FAKE_TOKENS } from "../../../fixtures/door/fake-listing.ts";
import { BARE, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { cursorOf } from "../../../src/api/parameters/tokens-request.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { placeOf } from "../../../src/quoting/tokens/token-ranking.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { violationsOf } from "../../support/door/parameter-calls.ts";

const PLACE = placeOf(USDC.address, 10n ** 19n);
const CURSOR = cursorOf(PLACE, undefined);
let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const WITH_KEY = { headers: { "api-key": KEY } };

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  gRPC: () => createGrpcTransport({ baseUrl: door.origin }),
  "gRPC-Web": () => createGrpcWebTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
  Connect: () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
};
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
