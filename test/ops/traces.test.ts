import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { createGrpcTransport } from "../../src/client/grpc-transport.ts";
import { createSwapClient, NATIVE_TOKEN } from "../../src/client/index.ts";
import { compose, type Service } from "../../src/compose/serve.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { startTestDevnet, type TestDevnet } from "../support/worlds/devnet.ts";
import { createTinyTracer, type EndedSpan } from "./tiny-tracer.ts";

const KEY = "key-of-the-traces";
const USDH = devnetLayout(devnetAccounts().whale).token("USDH").address;
const [TRACE, SPAN] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
const SENT = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "vendor=some,other=thing" };

interface NodeRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** The service in front of a node whose requests can be looked at. */
let devnet: TestDevnet;
let line: { readonly url: string; readonly seen: NodeRequest[]; stop(): Promise<unknown> };
let service: Service;
let folder: string;
const log: Record<string, unknown>[] = [];

beforeAll(async () => {
  devnet = await startTestDevnet("settled");
  line = await tapLine(devnet.rpcUrl);
  folder = mkdtempSync(join(tmpdir(), "traces-"));
  const record = join(folder, "chain.json");
  writeChainFile(record, { ...devnet.chain, blockTimeMs: 0 });
  const config = readConfig({
    ...{ PORT: "0", RPC_URL: line.url, CHAIN_FILE: record, DATA_DIR: folder },
    TRIBUTARY_API_KEY: KEY,
  });
  service = await compose(config, createLogger("info", { write: (text) => void log.push(JSON.parse(text)) }));
  await service.ready;
  // The contracts are looked for with a new snapshot.
  await devnet.mine();
  await vi.waitUntil(() => log.some(({ msg }) => /quotes are open/.test(String(msg))), { timeout: 90_000 });
});
afterAll(async () => {
  await service?.stop();
  await line?.stop();
  await devnet?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  trace.disable();
});
beforeEach(() => {
  log.length = 0;
  line.seen.length = 0;
});

/** Passes JSON-RPC on to a node and keeps its headers. */
async function tapLine(rpcUrl: string) {
  const seen: NodeRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: (JSON.parse(body) as { method: string }).method, headers: request.headers });
    const answer = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    response.setHeader("content-type", "application/json").end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Different amounts are different searches: nothing comes out of a cache. */
let next = 1_000_000n;
const newRequest = () => {
  next += 1n;
  return { sellToken: NATIVE_TOKEN, buyToken: USDH, sellAmount: next * 10n ** 9n };
};

async function askRest(path: "price" | "quote", headers: Record<string, string> = {}): Promise<void> {
  const { sellToken, buyToken, sellAmount } = newRequest();
  const query = new URLSearchParams({ sellToken, buyToken, sellAmount: String(sellAmount) });
  const answer = await fetch(`${service.url}/swap/v1/${path}?${query}`, { headers: { "api-key": KEY, ...headers } });
  expect(answer.status, await answer.text()).toBe(200);
}

/** The access log's line of the newest call. */
async function requestLine(): Promise<Record<string, unknown>> {
  await expect.poll(() => log.some(({ msg }) => msg === "request")).toBe(true);
  return log.findLast(({ msg }) => msg === "request") ?? {};
}

describe("a trace that a caller began, without an SDK", () => {
  it("is in the log, and goes on to the node as it came", async () => {
    await askRest("quote", SENT);
    expect(await requestLine()).toMatchObject({ traceId: TRACE, spanId: SPAN });
    const ofTheCall = line.seen.filter(({ headers }) => headers.traceparent !== undefined);
    expect(ofTheCall.map(({ method }) => method)).toContain("eth_simulateV1");
    for (const { headers } of ofTheCall) expect(headers).toMatchObject(SENT);
  });

  it("is in the log over gRPC too", async () => {
    const client = createSwapClient({ transport: createGrpcTransport(service.url), apiKey: KEY });
    await client.price(newRequest(), { headers: SENT });
    expect(await requestLine()).toMatchObject({ protocol: "grpc", traceId: TRACE, spanId: SPAN });
  });

  it("is not made up where nobody sent one", async () => {
    await askRest("quote");
    expect(await requestLine()).not.toHaveProperty("traceId");
    expect(line.seen.length).toBeGreaterThan(0);
    for (const { headers } of line.seen) expect(headers).not.toHaveProperty("traceparent");
  });

  it.each([
    ["of zeros", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["in capitals", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["of the forbidden version", `ff-${TRACE}-${SPAN}-01`],
    ["that is too long for its version", `00-${TRACE}-${SPAN}-01-more`],
    ["that is cut off", `00-${TRACE}-${SPAN}`],
  ])("is ignored when it is malformed: one %s", async (_, traceparent) => {
    await askRest("quote", { ...SENT, traceparent });
    expect(await requestLine()).not.toHaveProperty("traceId");
    for (const { headers } of line.seen) expect(headers).not.toHaveProperty("traceparent");
  });

  it("is taken from a later version, which may say more", async () => {
    await askRest("price", { traceparent: `01-${TRACE}-${SPAN}-01-more` });
    expect(await requestLine()).toMatchObject({ traceId: TRACE });
  });
});

describe("with an SDK", () => {
  const { provider, spans } = createTinyTracer();
  beforeAll(() => void trace.setGlobalTracerProvider(provider));
  beforeEach(() => void spans.splice(0));

  /** A span's name with the names above it, from the door on. */
  function pathOf(span: EndedSpan): string {
    const above = spans.find(({ spanId }) => spanId === span.parentId);
    return above === undefined ? span.name : `${pathOf(above)} > ${span.name}`;
  }
  const doorSpans = () => spans.filter(({ name }) => name.startsWith("swap.v1."));

  it("a quote is one tree of spans below its caller's span", async () => {
    await askRest("quote", SENT);
    await expect.poll(() => doorSpans().length).toBe(1);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const door = "swap.v1.SwapService/GetQuote";
    const paths = spans.map(pathOf);
    expect(paths).toContain(`${door} > quote > search`);
    expect(paths).toContain(`${door} > quote > simulate > eth_simulateV1`);
    for (const path of paths) expect(path.startsWith(door), path).toBe(true);
    expect(doorSpans()[0]).toMatchObject({
      parentId: SPAN,
      attributes: { protocol: "rest", outcome: "ok", "http.response.status_code": 200 },
    });
    expect(await requestLine()).toMatchObject({ traceId: TRACE, spanId: doorSpans()[0]?.spanId });

    const asked = spans.filter(({ attributes }) => attributes["rpc.system"] === "jsonrpc");
    expect(asked[0]?.attributes.node).toBe("node 1");
    const told = line.seen.flatMap(({ headers }) => (headers.traceparent as string | undefined) ?? []);
    expect(told.sort()).toEqual(asked.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
  });

  it("calls at the same time stay in their own traces", async () => {
    const ids = ["a", "b", "c", "d"].map((digit) => digit.repeat(32));
    await Promise.all(ids.map((id) => askRest("quote", { traceparent: `00-${id}-${SPAN}-01` })));
    await expect.poll(() => doorSpans().length).toBe(ids.length);
    for (const id of ids) {
      const names = spans.filter(({ traceId }) => traceId === id).map(({ name }) => name);
      expect(names.filter((name) => ["quote", "search", "simulate"].includes(name)).sort(), id).toEqual([
        ...["quote", "search", "simulate"],
      ]);
    }
  });

  it("a call without a caller's span begins a trace, and following the chain does not", async () => {
    await devnet.mine();
    await askRest("price");
    await expect.poll(() => doorSpans().length).toBe(1);
    expect(doorSpans()[0]?.parentId).toBeUndefined();
    for (const span of spans) expect(pathOf(span)).toMatch(/^swap\.v1\.SwapService\/GetPrice/);
  });

  it("a refused call says why, and is no fault", async () => {
    const answer = await fetch(`${service.url}/swap/v1/price`, { headers: { "api-key": "not-a-key", ...SENT } });
    expect(answer.status).toBe(401);
    await expect.poll(() => doorSpans().length).toBe(1);
    expect(doorSpans()[0]?.attributes).toMatchObject({ outcome: "UNAUTHENTICATED" });
    expect(doorSpans()[0]?.attributes).not.toHaveProperty("status");
  });

  it("a node that fails is a fault, told by its kind", async () => {
    await line.stop();
    await fetch(`${service.url}/swap/v1/quote?${new URLSearchParams({ ...newRequest(), sellAmount: "1000000001" })}`, {
      headers: { "api-key": KEY, ...SENT },
    });
    await expect.poll(() => doorSpans().length).toBe(1);
    const failed = spans.filter(({ attributes }) => attributes["error.type"] !== undefined);
    expect(failed.map(({ attributes }) => attributes["error.type"])).toContain("TransportError");
    expect(JSON.stringify(spans)).not.toContain(line.url);
  });
});
