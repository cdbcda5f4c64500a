import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport, createConnectTransport as createWebConnect } from "@connectrpc/connect-web";
import { credentials, loadPackageDefinition, Metadata } from "@grpc/grpc-js";
import { load } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { USDC, WETH } from "../support/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../support/http.ts";

const HEADERS = { "api-key": KEY };
const REQUEST = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Calls a method through @grpc/grpc-js with a proto loader: a client that shares no code with the server. */
export async function grpcJsCall(
  port: number,
  method: string,
  request: object,
  key = KEY,
): Promise<Record<string, unknown>> {
  const definition = await load("swap/v1/swap.proto", {
    includeDirs: [new URL("../../proto", import.meta.url).pathname],
    defaults: true,
  });
  // biome-ignore lint/suspicious/noExplicitAny: grpc-js types loaded packages no further
  const { SwapService: Client } = (loadPackageDefinition(definition) as any).swap.v1;
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("api-key", key);
  try {
    return await new Promise((resolve, reject) => {
      client[method](request, metadata, (error: Error | null, answer: Record<string, unknown>) =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  } finally {
    client.close();
  }
}

describe("the same request on every protocol", () => {
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
    const { records } = await client.listSources({}, { headers: HEADERS });
    expect(records).toEqual(["SushiSwap", "Uniswap_V2", "Uniswap_V3"]);
  });

  test("grpc-js with a proto loader", async () => {
    const price = await grpcJsCall(door.port, "getPrice", REQUEST);
    expect(price).toMatchObject({ chainId: 31337, sellAmount: "1000", buyAmount: "2000" });
  });

  test("REST", async () => {
    const { status, body } = await door.get(`/swap/v1/price?${new URLSearchParams(REQUEST)}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { chainId: 31337, sellAmount: "1000", buyAmount: "2000", estimatedPriceImpact: null },
    });
  });
});
