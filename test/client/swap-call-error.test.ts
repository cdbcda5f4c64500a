import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { USDC, WETH } from "../../fixtures/door/fake-quoting.ts";
import { ERROR_REFERENCE } from "../../src/api/errors/error-reference.ts";
import { toSwapCallError } from "../../src/client/connect-error.ts";
import { createGrpcTransport } from "../../src/client/grpc-transport.ts";
import { createSwapClient, createWebTransport, SwapCallError } from "../../src/client/index.ts";
import { createRestClient } from "../../src/client/rest.ts";
import type { RefusalKind } from "../../src/domain/errors/refusals.ts";
import { refuse } from "../../src/domain/errors/swap-error.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";

const REQUEST = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: 1000n };
const RETRYABLE: readonly RefusalKind[] = ["TOO_MANY_REQUESTS", "UNAVAILABLE", "DEADLINE_EXCEEDED"];

const viaGrpc = (url: string) => createSwapClient({ transport: createGrpcTransport(url), apiKey: KEY });
const viaConnect = (url: string) => createSwapClient({ transport: createWebTransport(url), apiKey: KEY });
const viaRest = (baseUrl: string) => createRestClient({ baseUrl, apiKey: KEY });

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

describe.each([
  ["gRPC", viaGrpc],
  ["Connect", viaConnect],
  ["REST", viaRest],
] as const)("a refusal over %s", (_, connect) => {
  it.each(ERROR_REFERENCE)("is the kind that the service means: $kind", async ({ kind }) => {
    door.quoting.before = async () => {
      throw refuse(kind, "said in the test", { retryAfterSeconds: 7 });
    };
    const failure = await connect(door.origin)
      .price(REQUEST)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SwapCallError);
    expect(failure).toMatchObject({ kind, isRetryable: RETRYABLE.includes(kind) });
    if (RETRYABLE.includes(kind)) expect(failure).toMatchObject({ retryAfterSeconds: 7 });
  });
});

it.each([
  ["gRPC", viaGrpc, http2.createServer()],
  ["Connect", viaConnect, http.createServer()],
  ["REST", viaRest, http.createServer()],
] as const)("a service that goes away in the middle of a call over %s was not reached", async (_, connect, dying) => {
  const dies = vi.fn((request: http.IncomingMessage | http2.Http2ServerRequest) => {
    const { socket } = "stream" in request ? (request.stream.session ?? request) : request;
    setTimeout(() => socket.destroy(), 20);
  });
  dying.on("request", dies);
  await new Promise<void>((resolve) => dying.listen(0, "127.0.0.1", resolve));
  const { port } = dying.address() as AddressInfo;
  const client = connect(`http://127.0.0.1:${port}`);
  const failure = await client.price(REQUEST).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: "NOT_REACHED", isRetryable: true });
  const watching = client.watch(REQUEST)[Symbol.asyncIterator]().next();
  await expect(watching).rejects.toMatchObject({ kind: "NOT_REACHED", isRetryable: true });
  expect(dies).toHaveBeenCalled();
  const giveUp = new AbortController();
  dying.off("request", dies);
  const given = client.price(REQUEST, { signal: giveUp.signal }).catch((error: unknown) => error);
  setTimeout(() => giveUp.abort(), 50);
  expect(await given).toMatchObject({ kind: "CANCELED", isRetryable: false });
  dying.close();
});

it("reads what proxies send over REST, without a body of ours", async () => {
  const answer = (status: number, body: string, headers = {}) =>
    createRestClient({
      baseUrl: "http://proxy.example/",
      apiKey: KEY,
      fetch: async () => new Response(body, { status, headers }),
    })
      .price(REQUEST)
      .then(
        () => expect.fail("an answer"),
        (error: SwapCallError) => error,
      );
  const headers = { "retry-after": "3", "x-request-id": "of-the-proxy" };
  const busy = { kind: "UNAVAILABLE", isRetryable: true, retryAfterSeconds: 3, requestId: "of-the-proxy" };
  expect(await answer(502, "<html>Bad Gateway</html>", headers)).toMatchObject(busy);
  const putOffTo = async (date: string) => (await answer(503, "", { "retry-after": date })).retryAfterSeconds;
  expect(await putOffTo("Fri, 31 Dec 9999 23:59:59 GMT")).toBeGreaterThan(1e9);
  expect(await putOffTo("Sun, 06 Nov 1994 08:49:37 GMT")).toBe(0);
  for (const wrong of ["-5", "1e9", "soon GMT", ""]) expect(await putOffTo(wrong)).toBeUndefined();
  expect(await answer(418, "null")).toMatchObject({ kind: "INTERNAL", isRetryable: false, requestId: undefined });
});

it.each(["<html>log in first</html>", "", "null", "[]", "7"])(
  "takes %j over REST for no answer, and asks no more",
  async (body) => {
    const own = async () => new Response(body);
    const client = createRestClient({ baseUrl: "http://portal.example", apiKey: KEY, fetch: own });
    const wrong = { name: "SwapCallError", kind: "INTERNAL", isRetryable: false };
    await expect(client.price(REQUEST)).rejects.toMatchObject(wrong);
    const stream = async () => new Response(`data: ${body}\n\n`);
    const watching = createRestClient({ baseUrl: "http://portal.example", apiKey: KEY, fetch: stream }).watch(REQUEST);
    // Lines without data are no event: the stream ends then.
    const ended = body === "" ? { kind: "NOT_REACHED" } : wrong;
    await expect(watching[Symbol.asyncIterator]().next()).rejects.toMatchObject(ended);
  },
);

it("reads what proxies send, without details of ours", () => {
  const metadata = { "retry-after": "3", "x-request-id": "of-the-proxy" };
  expect(toSwapCallError(new ConnectError("busy", Code.Unavailable, metadata), undefined)).toMatchObject({
    kind: "UNAVAILABLE",
    reason: "UNAVAILABLE",
    isRetryable: true,
    retryAfterSeconds: 3,
    requestId: "of-the-proxy",
  });
  expect(toSwapCallError(new ConnectError("odd", Code.DataLoss), undefined)).toMatchObject({
    kind: "INTERNAL",
    isRetryable: false,
    requestId: undefined,
  });
});
