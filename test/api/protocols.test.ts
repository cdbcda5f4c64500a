import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport, createConnectTransport as createWebConnect } from "@connectrpc/connect-web";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { callGrpcJs } from "../support/door/grpc-js.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";
import { REQUEST } from "../support/door/price-call.ts";

const HEADERS = { "api-key": KEY };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe("the same request on every protocol", () => {
  const leftOut = [expect.objectContaining({ reason: "TOKEN_NOT_A_HOP", pools: "3" })];
  const transports = {
    "grpc (connect-node)": () => createGrpcTransport({ baseUrl: door.origin }),
    "grpc-web over HTTP/1.1": () => createGrpcWebTransport({ baseUrl: door.origin }),
    "connect JSON over HTTP/1.1": () => createConnectTransport({ baseUrl: door.origin, httpVersion: "1.1" }),
    "connect binary over HTTP/2": () =>
      createConnectTransport({ baseUrl: door.origin, httpVersion: "2", useBinaryFormat: true }),
    "connect GET": () => createWebConnect({ baseUrl: door.origin, useHttpGet: true }),
    "connect-web": () => createWebConnect({ baseUrl: door.origin }),
  };

  test.each(Object.entries(transports))("%s", async (_, transport) => {
    const client = createClient(SwapService, transport());
    const price = await client.getPrice(REQUEST, { headers: HEADERS });
    expect(price).toMatchObject({ chainId: 31337, sellAmount: "1000", buyAmount: "2000" });
    expect(price.estimatedPriceImpact).toBeUndefined();
    expect(price.orders[0]?.fillData).toEqual({ pool: expect.stringMatching(/^0x/) });
    const quote = await client.getQuote(REQUEST, { headers: HEADERS });
    expect(quote).toMatchObject({ data: "0x1234", expiry: "1700000120", guaranteedPrice: "0.51" });
    const { records, sources } = await client.listSources({}, { headers: HEADERS });
    expect(records).toEqual(["SushiSwap", "Uniswap_V2", "Uniswap_V3"]);
    expect(sources[2]).toMatchObject({ name: "Uniswap_V3", pools: "7", sleepingPools: "1200", leftOut });
  });

  test("grpc-js with a proto loader", async () => {
    const price = await callGrpcJs(door.port, "getPrice", REQUEST);
    expect(price).toMatchObject({ chainId: 31337, sellAmount: "1000", buyAmount: "2000" });
    const { sources } = await callGrpcJs(door.port, "listSources", {});
    expect(sources).toContainEqual(expect.objectContaining({ name: "Uniswap_V3", sleepingPools: "1200", leftOut }));
  });

  test("REST", async () => {
    const { status, body } = await door.get(`/swap/v1/price?${new URLSearchParams(REQUEST)}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { chainId: 31337, sellAmount: "1000", buyAmount: "2000", estimatedPriceImpact: null },
    });
  });
});
