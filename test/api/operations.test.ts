import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "#gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.ts";
import { TEST_TOKENS } from "../../fixtures/door/test-network.ts";
import { createMetricsServer, textOf } from "../../src/api/http/metrics-server.ts";
import { probePages } from "../../src/api/http/probes.ts";
import { refuse } from "../../src/domain/errors/swap-error.ts";
import { VERSION } from "../../src/ops/version.ts";
import { callGrpcJs } from "../support/door/grpc-js.ts";
import { type Door, KEY, openDoor } from "../support/door/http.ts";
import { PRICE, REQUEST } from "../support/door/price-call.ts";

const run = promisify(execFile);

let door: Door;
beforeAll(async () => {
  door = await openDoor({ corsOrigins: ["https://dapp.example"] });
});
afterAll(() => door.server.drain(1_000));

describe("operations need no key", () => {
  const get = async (path: string) => {
    const response = await fetch(door.origin + path);
    return { status: response.status, body: await response.json() };
  };

  test.each(["/", "/docs", "/status"])("no page elsewhere puts %s in a frame", async (path) => {
    const { headers } = await door.get(path);
    expect(headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("/livez, /readyz and /status", async () => {
    expect(await get("/livez")).toEqual({ status: 200, body: { live: true } });
    expect(await get("/readyz")).toEqual({ status: 200, body: { ready: true } });
    expect(await get("/status")).toMatchObject({
      status: 200,
      body: {
        ready: true,
        reason: null,
        version: VERSION,
        chainId: 31337,
        sources: [{ name: "SushiSwap", blockNumber: "99" }, {}, {}],
      },
    });
    door.state.readiness = { ready: false, reason: "no fresh block" };
    expect(await get("/livez")).toMatchObject({ status: 200 });
    expect(await get("/readyz")).toEqual({ status: 503, body: { ready: false, reason: "no fresh block" } });
    expect(await get("/status")).toMatchObject({ status: 200, body: { ready: false, reason: "no fresh block" } });
    door.state.readiness = { ready: true };
  });

  test("the description of the API can be switched off, what refusals link to cannot", async () => {
    const quiet = await openDoor({ docs: false });
    const paths = ["/docs", "/openapi.json", "/llms.txt", "/docs/errors", "/livez"];
    const statusesOf = ({ origin }: Door) =>
      Promise.all(paths.map(async (path) => (await fetch(origin + path)).status));
    expect(await statusesOf(quiet)).toEqual([404, 404, 404, 200, 200]);
    expect(await statusesOf(door)).toEqual([200, 200, 200, 200, 200]);
    await quiet.server.drain(100);
  });

  test("/tokens.json", async () => {
    expect(await get("/tokens.json")).toEqual({ status: 200, body: TEST_TOKENS });
  });

  test("/metrics is not on this port, but on its own", async () => {
    expect((await door.get("/metrics")).status).toBe(404);
    await door.get(PRICE);
    const server = createMetricsServer(() => textOf(door.metrics.registry));
    await server.listen(0, "127.0.0.1");
    const url = `http://127.0.0.1:${server.port()}/metrics`;
    await expect
      .poll(async () => (await fetch(url)).text())
      .toMatch(
        /tributary_api_requests_total\{protocol="rest",operation="swap\.v1\.SwapService\/GetPrice",outcome="ok"\} \d/,
      );
    expect(await (await fetch(url)).text()).toContain(`tributary_build_info{version="${VERSION}"} 1\n`);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    await server.close();
  });

  test("/livez and /readyz are beside /metrics too, where no crowd of callers comes before them", async () => {
    const state = { ready: false, reason: "no fresh block" };
    const server = createMetricsServer(
      () => textOf(door.metrics.registry),
      probePages(() => state),
    );
    await server.listen(0, "127.0.0.1");
    const answer = async (path: string, method = "GET") => {
      const response = await fetch(`http://127.0.0.1:${server.port()}${path}`, { method });
      return [response.status, await response.text()];
    };
    expect(await answer("/livez")).toEqual([200, '{"live":true}']);
    expect(await answer("/readyz")).toEqual([503, '{"ready":false,"reason":"no fresh block"}']);
    expect(await answer("/readyz", "POST")).toEqual([405, ""]);
    expect(await answer("/status")).toEqual([404, ""]);
    await server.close();
  });
});

test.each([0, -1, 1.5, 2 ** 32, Number.NaN])("a chain id of %d is refused at the start", async (chainId) => {
  await expect(openDoor({}, undefined, chainId)).rejects.toThrow(/chain id .* must be between 1 and 4294967295/);
});

describe("grpc.health.v1", () => {
  test("Check follows readiness, and knows its services", async () => {
    const client = createClient(Health, createGrpcTransport({ baseUrl: door.origin }));
    await expect.poll(async () => (await client.check({})).status).toBe(Status.SERVING);
    expect((await client.check({ service: "swap.v1.SwapService" })).status).toBe(Status.SERVING);
    await expect(client.check({ service: "nope" })).rejects.toMatchObject({ code: Code.NotFound });
    door.state.readiness = { ready: false };
    await expect.poll(async () => (await client.check({})).status).toBe(Status.NOT_SERVING);
    door.state.readiness = { ready: true };
    await expect.poll(async () => (await client.check({})).status).toBe(Status.SERVING);
  });

  test("Watch tells each change, and ends UNAVAILABLE on shutdown", async () => {
    const watched = await openDoor();
    const client = createClient(Health, createGrpcTransport({ baseUrl: watched.origin }));
    const seen: Status[] = [];
    const ended = (async () => {
      for await (const { status } of client.watch({})) {
        seen.push(status);
        if (seen.length === 1) watched.state.readiness = { ready: false };
        if (seen.length === 2) watched.state.readiness = { ready: true };
        if (seen.length === 3) void watched.server.drain(5_000);
      }
    })();
    await expect(ended).rejects.toMatchObject({ code: Code.Unavailable });
    expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
  });
});

describe("reflection", () => {
  const buf = async (...parameters: string[]) => {
    const { stdout } = await run("node_modules/.bin/buf", ["curl", ...parameters], { cwd: process.cwd() });
    return stdout;
  };

  test("buf curl calls a method without a schema at hand", async () => {
    for (const version of ["grpc-v1", "grpc-v1alpha"]) {
      const stdout = await buf(
        ...["--protocol", "grpc", "--http2-prior-knowledge", "--reflect", "--reflect-protocol", version],
        ...["-H", `api-key: ${KEY}`, "-d", JSON.stringify(REQUEST), `${door.origin}/swap.v1.SwapService/GetPrice`],
      );
      expect(JSON.parse(stdout)).toMatchObject({ chainId: 31337, buyAmount: "2000" });
    }
  });

  test("tells of the details of refusals, which tools find by name alone", async () => {
    const client = createClient(ServerReflection, createGrpcTransport({ baseUrl: door.origin }));
    const ask = async function* (symbol: string) {
      yield { messageRequest: { case: "fileContainingSymbol", value: symbol } } as const;
    };
    const details = ["BadRequest", "ErrorInfo", "RequestInfo", "RetryInfo", "QuotaFailure"];
    for (const name of details) {
      for await (const { messageResponse } of client.serverReflectionInfo(ask(`google.rpc.${name}`))) {
        expect(messageResponse.case).toBe("fileDescriptorResponse");
      }
    }
  });

  test("buf curl lists the services", async () => {
    const stdout = await buf("--http2-prior-knowledge", "--list-services", door.origin);
    expect(stdout.trim().split("\n")).toEqual(["grpc.health.v1.Health", "swap.v1.SwapService"]);
  });

  test("can be switched off", async () => {
    const quiet = await openDoor({ reflection: false });
    expect((await quiet.get("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")).status).toBe(404);
    await quiet.server.drain(100);
  });
});

describe("browsers", () => {
  const preflight = (origin: string, path = "/swap.v1.SwapService/GetPrice") =>
    fetch(door.origin + path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "api-key" },
    });

  test("a preflight is answered before the key check", async () => {
    for (const path of ["/swap.v1.SwapService/GetPrice", "/swap/v1/price"]) {
      const { status, headers } = await preflight("https://dapp.example", path);
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe("https://dapp.example");
      expect(headers.get("access-control-allow-methods")).toMatch(/GET.*POST|POST.*GET/);
      expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("api-key");
      expect(headers.get("vary")).toBe("origin");
    }
  });

  test("every header that a call may bring is let through", async () => {
    const allowed = (await preflight("https://dapp.example")).headers.get("access-control-allow-headers") ?? "";
    const names = new Set(allowed.toLowerCase().split(", "));
    for (const name of ["api-key", "x-request-id", "traceparent", "tracestate", "connect-timeout-ms"]) {
      expect(names, name).toContain(name);
    }
  });

  test("another origin is not let in", async () => {
    const { status, headers } = await preflight("https://evil.example");
    expect(status).toBe(405);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("answers and errors can be read", async () => {
    for (const headers of [{ "api-key": KEY }, { "api-key": "wrong" }]) {
      const answer = await fetch(door.origin + PRICE, { headers: { ...headers, origin: "https://dapp.example" } });
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://dapp.example");
      expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id");
    }
  });

  test("the console's own origin needs no configuration: its requests are not of another origin", async () => {
    const closed = await openDoor();
    const headers = { "api-key": KEY, origin: closed.origin, "content-type": "application/json" };
    const url = `${closed.origin}/swap.v1.SwapService/GetPrice`;
    expect((await fetch(url, { method: "POST", headers, body: JSON.stringify(REQUEST) })).status).toBe(200);
    expect((await fetch(closed.origin)).headers.get("content-type")).toContain("text/html");
    await closed.server.drain(100);
  });

  test("one preflight is remembered for a path, and with it for every Connect POST", async () => {
    const { headers } = await preflight("https://dapp.example");
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThanOrEqual(7_200);
  });

  test("any origin, when it is configured", async () => {
    const open = await openDoor({ corsOrigins: ["*"] });
    const { headers } = await open.get(PRICE, { origin: "https://anything.example" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    await open.server.drain(100);
  });
});

describe("the request id", () => {
  test("is the caller's when it is usable", async () => {
    expect((await door.get(PRICE, { "x-request-id": "my-id.1" })).headers.get("x-request-id")).toBe("my-id.1");
    expect(door.quoting.asked.at(-1)?.context.requestId).toBe("my-id.1");
  });

  test.each(["has space", "x".repeat(65), '"quoted"'])("is a new one for %j", async (given) => {
    const { headers } = await door.get("/livez", { "x-request-id": given });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("goes with every answer", async () => {
    for (const path of ["/livez", "/nope", PRICE, "/swap/v1/price"]) {
      expect((await door.get(path)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("the log", () => {
  test("has one line for each request, and no secret", async () => {
    await door.get(`${PRICE}&takerAddress=0x1111111111111111111111111111111111111111`, { "x-request-id": "logged-1" });
    await door.get("/swap/v1/quote", { "x-request-id": "logged-2" });
    await expect.poll(() => door.log.filter((line) => String(line.requestId).startsWith("logged-")).length).toBe(2);
    const [first, second] = door.log.filter((line) => String(line.requestId).startsWith("logged-"));
    expect(first).toMatchObject({
      msg: "request",
      protocol: "rest",
      operation: "swap.v1.SwapService/GetPrice",
      method: "GET",
      status: 200,
      outcome: "ok",
      keyId: "preset",
    });
    expect(first).not.toHaveProperty("reasons");
    expect(second).toMatchObject({ status: 400, outcome: "INVALID_PARAMETERS", reasons: ["REQUIRED"] });
    const everything = JSON.stringify(door.log);
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain("0x1111111111111111111111111111111111111111");
  });

  test("says by constants what a call was refused for, on every protocol", async () => {
    const lineOf = (requestId: string) => door.log.filter((line) => line.requestId === requestId);
    const refused = (requestId: string, path: string, headers = {}) =>
      door.get(path, { "x-request-id": requestId, ...headers });
    await refused("refused-1", `${PRICE}&excludedSources=Foo,Bar&slippagePercantage=3`);
    await refused("refused-2", PRICE, { "api-key": "not-a-key" });
    door.quoting.before = async () => {
      throw refuse("OVERLOADED", "too much");
    };
    await refused("refused-3", PRICE);
    await expect(callGrpcJs(door.port, "getPrice", REQUEST)).rejects.toThrow("too much");
    door.quoting.before = async () => {
      const sources = { field: "sellAmount", reason: "SOURCE_CANNOT_SERVE", description: "" } as const;
      throw refuse("INSUFFICIENT_ASSET_LIQUIDITY", "none", { violations: [sources] });
    };
    await refused("refused-5", PRICE);
    door.quoting.before = async () => {};
    await expect.poll(() => lineOf("refused-5")).toHaveLength(1);
    expect(lineOf("refused-1")).toMatchObject([{ reasons: ["UNKNOWN_SOURCE", "UNKNOWN_PARAMETER"] }]);
    expect(lineOf("refused-2")).toMatchObject([{ outcome: "UNAUTHENTICATED", reasons: ["API_KEY_INVALID"] }]);
    const overloaded = door.log.filter(({ outcome }) => outcome === "UNAVAILABLE");
    expect(overloaded).toMatchObject([
      { requestId: "refused-3", protocol: "rest", reasons: ["OVERLOADED"] },
      { protocol: "grpc", reasons: ["OVERLOADED"] },
    ]);
    expect(lineOf("refused-5")[0]).not.toHaveProperty("reasons");
    expect(JSON.stringify(door.log)).not.toContain("slippagePercantage");
  });

  test("has a line when prices and quotes cannot be given, and one when they can again", async () => {
    const lines = () => door.log.filter(({ msg }) => String(msg).includes("prices and quotes can be given"));
    const before = lines().length;
    door.state.readiness = { ready: false, reason: "no fresh block" };
    await expect.poll(() => lines().slice(before)).toMatchObject([{ level: 40, reason: "no fresh block" }]);
    door.state.readiness = { ready: false, reason: "no fresh block for longer" };
    await new Promise((resolve) => setTimeout(resolve, 600));
    door.state.readiness = { ready: true };
    await expect.poll(() => lines().slice(before + 1)).toMatchObject([{ level: 30, seconds: expect.any(Number) }]);
  });

  test("tells callers that left from defects", async () => {
    const started = Promise.withResolvers<void>();
    door.quoting.before = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const controller = new AbortController();
    const headers = { "api-key": KEY, "x-request-id": "left-1" };
    const call = fetch(door.origin + PRICE, { headers, signal: controller.signal });
    await started.promise;
    controller.abort();
    await expect(call).rejects.toThrow();
    door.quoting.before = async () => {};
    await expect
      .poll(() => door.log.filter((line) => line.requestId === "left-1"))
      .toMatchObject([{ msg: "request", outcome: "ABANDONED" }]);
  });
});
