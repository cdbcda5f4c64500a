import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import http2 from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GetPriceRequestSchema, SwapService } from "#gen/swap/v1/swap_pb.ts";
import { DEFAULT_SERVER_CONFIG } from "../../src/api/server.ts";
import { SwapError } from "../../src/domain/swap-error.ts";
import { USDC, WETH } from "../support/fake-quoting.ts";
import { callGrpcJs, type GrpcFailure } from "../support/grpc-js.ts";
import { type Door, KEY, openDoor, rawExchange } from "../support/http.ts";
import { cancelFrame, preface, requestFrames } from "../support/http2-frames.ts";

const REQUEST = { sellToken: WETH.address, buyToken: USDC.address, sellAmount: "1000" };
const PRICE = `/swap/v1/price?${new URLSearchParams(REQUEST)}`;
const RPC = "/swap.v1.SwapService/GetPrice";
const GRPC = { ":method": "POST", ":path": RPC, "content-type": "application/grpc", te: "trailers" };

const limits = DEFAULT_SERVER_CONFIG.connections;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Everything that comes back on one HTTP/2 stream. */
function h2Request(port: number, headers: http2.OutgoingHttpHeaders, body?: Buffer) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  const stream = session.request(headers);
  const seen = { headers: {} as http2.IncomingHttpHeaders, endedByHeaders: false, trailers: false, body: "" };
  return new Promise<typeof seen & { rstCode: number }>((resolve) => {
    stream.on("response", (received, flags) => {
      seen.headers = received;
      seen.endedByHeaders = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    });
    stream.on("trailers", () => {
      seen.trailers = true;
    });
    stream.on("data", (chunk: Buffer) => {
      seen.body += chunk.toString("latin1");
    });
    stream.on("error", () => {});
    stream.on("close", () => {
      session.close();
      resolve({ ...seen, rstCode: stream.rstCode });
    });
    stream.end(body);
  });
}

describe("a malformed Host is refused and nothing more", () => {
  const body = JSON.stringify(REQUEST);
  const post = (version: string, host: string) =>
    `POST ${RPC} HTTP/${version}\r\n${host}api-key: ${KEY}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;

  test.each([
    ["an opening bracket", "1.1", "Host: [\r\n"],
    ["a space inside", "1.1", "Host: a b\r\n"],
    ["a port out of range", "1.1", "Host: x:99999\r\n"],
    ["none, on HTTP/1.0", "1.0", ""],
  ])("%s", async (_, version, host) => {
    const answer = await rawExchange(door.port, post(version, host));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":101');
    expect((await door.get(PRICE)).status).toBe(200);
  });

  test("an HTTP/2 :authority of an opening bracket", async () => {
    const { headers } = await h2Request(door.port, {
      ":method": "POST",
      ":path": RPC,
      ":authority": "[",
      "content-type": "application/json",
      "api-key": KEY,
    });
    expect(headers[":status"]).toBe(400);
    expect((await door.get(PRICE)).status).toBe(200);
  });
});

describe("a request's target in absolute form", () => {
  const get = (target: string, version = "1.1") =>
    rawExchange(door.port, `GET ${target} HTTP/${version}\r\nHost: y\r\napi-key: ${KEY}\r\nConnection: close\r\n\r\n`);

  test.each(["http://x", "HTTPS://x.example:1", "http://[::1]:8080"])(
    "is as good as its path: %s",
    async (authority) => {
      const answer = await get(`${authority}${PRICE}`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('"sellAmount":"1000"');
    },
  );

  test("is as good for a call over Connect", async () => {
    const body = JSON.stringify(REQUEST);
    const head = `Host: y\r\napi-key: ${KEY}\r\nContent-Type: application/json\r\nConnection: close`;
    const length = `Content-Length: ${body.length}`;
    const answer = await rawExchange(door.port, `POST http://x${RPC} HTTP/1.1\r\n${head}\r\n${length}\r\n\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["http://x", 200],
    ["http://x?a=b", 200],
    ["http://x/nowhere", 404],
    ["ftp://x/livez", 404],
  ])("may end with the authority, and is of HTTP: %s", async (target, status) => {
    expect(await get(target)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe("what never becomes a request is told like everything else", () => {
  test.each([
    ["no HTTP", "HELO there\r\n\r\n", 400, "MALFORMED_REQUEST"],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "MALFORMED_REQUEST"],
    ["a header without a name", "GET /livez HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400, "MALFORMED_REQUEST"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "MALFORMED_REQUEST",
    ],
    [
      "headers of 20 kB",
      `GET /livez HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    ["no Host", "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "MALFORMED_REQUEST"],
  ])("%s", async (_, text, status, reason) => {
    const answer = await rawExchange(door.port, text);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const error = JSON.parse(body);
    expect(error).toMatchObject({ code: 101, reason, docs: "/docs/errors#malformed_body" });
    expect(head).toContain(`x-request-id: ${error.requestId}`);
  });

  test("headers over HTTP/2 that are too large", async () => {
    const { headers, body } = await h2Request(door.port, { ":path": "/livez", a: "a".repeat(20_000) });
    expect(headers[":status"]).toBe(431);
    expect(JSON.parse(body)).toMatchObject({
      code: 101,
      reason: "HEADERS_TOO_LARGE",
      requestId: headers["x-request-id"],
    });
  });

  test("headers over HTTP/2 that are too large, and are taken back in the same breath", async () => {
    const crashes: unknown[] = [];
    const onCrash = (error: unknown) => crashes.push(error);
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException").on("uncaughtException", onCrash);
    const socket = connect(door.port, "127.0.0.1");
    socket.on("error", () => {});
    const answered = new Promise((resolve) => socket.once("data", resolve));
    const takenBack = (stream: number, bytes: number) => [
      requestFrames(stream, { ":path": "/livez", a: "a".repeat(bytes) }, true),
      cancelFrame(stream),
    ];
    socket.write(Buffer.concat([preface(), ...takenBack(1, 20_000), ...takenBack(3, 20_000), ...takenBack(5, 10)]));
    await answered;
    expect((await door.get(PRICE)).status).toBe(200);
    socket.destroy();
    process.off("uncaughtException", onCrash);
    for (const other of others) process.on("uncaughtException", other);
    expect(crashes).toEqual([]);
  });

  test("an expectation that nobody knows is passed over", async () => {
    const text = "GET /livez HTTP/1.1\r\nHost: x\r\nExpect: the best\r\nConnection: close\r\n\r\n";
    expect(await rawExchange(door.port, text)).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

describe("gRPC errors", () => {
  test("go out as one HEADERS frame that ends the stream", async () => {
    const { headers, endedByHeaders, trailers } = await h2Request(door.port, GRPC, Buffer.from("\0\0\0\0\0", "latin1"));
    expect({ endedByHeaders, trailers }).toEqual({ endedByHeaders: true, trailers: false });
    expect(headers).toMatchObject({ ":status": 200, "grpc-status": "16", "content-type": /^application\/grpc/ });
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("of an unknown method too", async () => {
    const { headers, endedByHeaders } = await h2Request(door.port, { ...GRPC, ":path": "/swap.v1.SwapService/Nope" });
    expect(endedByHeaders).toBe(true);
    expect(headers).toMatchObject({ ":status": 200, "grpc-status": "12" });
  });

  test("that are UNAVAILABLE are retried by the client's own policy", async () => {
    let calls = 0;
    door.quoting.before = async () => {
      if (++calls < 3) throw new SwapError("UNAVAILABLE", "no fresh state");
    };
    const serviceConfig = {
      methodConfig: [
        {
          name: [{ service: "swap.v1.SwapService" }],
          retryPolicy: {
            maxAttempts: 4,
            initialBackoff: "0.01s",
            maxBackoff: "0.02s",
            backoffMultiplier: 1,
            retryableStatusCodes: ["UNAVAILABLE"],
          },
        },
      ],
    };
    const answer = await callGrpcJs(door.port, "getPrice", REQUEST, {
      channel: { "grpc.service_config": JSON.stringify(serviceConfig) },
    });
    door.quoting.before = async () => {};
    expect(answer).toMatchObject({ buyAmount: "2000" });
    expect(calls).toBe(3);
  });

  test("have messages that clients read as they were written", async () => {
    const message = 'pool 0x00: 3 % of sellToken, /path?x=1&y=[2] (größer) #4 + "5"';
    door.quoting.before = async () => {
      throw new SwapError("TRANSACTION_REVERTS", message);
    };
    const failure = await callGrpcJs(door.port, "getPrice", REQUEST).then(
      () => expect.fail("the call went through"),
      (error: GrpcFailure) => error,
    );
    door.quoting.before = async () => {};
    expect(failure.details).toBe(message);
    expect(failure.metadata.get("x-request-id")).toHaveLength(1);
  });
});

describe("one port for two protocols", () => {
  test("the start of a preface that never comes holds up nobody, and is cut", async () => {
    const slow = await openDoor({ connections: { ...limits, headersTimeoutMs: 500 } });
    let served = 0;
    const silent = rawExchange(slow.port, "PR");
    while (served < 5) served += (await slow.get("/livez")).status === 200 ? 1 : 0;
    expect(await silent).toBe("");
    await slow.server.drain(100);
  });

  test("a preface in single bytes is a preface", async () => {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const socket = connect(door.port, "127.0.0.1", async () => {
        socket.setNoDelay(true);
        for (const byte of Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
          socket.write(Buffer.from([byte]));
          await new Promise(setImmediate);
        }
        socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      });
      socket.once("data", (chunk: Buffer) => {
        socket.destroy();
        resolve(chunk);
      });
      socket.once("error", reject);
    });
    // A SETTINGS frame: type 4.
    expect(answer[3]).toBe(4);
  });

  test("slow HTTP/1.1 headers are cut", async () => {
    const slow = await openDoor({ connections: { ...limits, headersTimeoutMs: 300, requestTimeoutMs: 300 } });
    const answer = await rawExchange(slow.port, "GET /livez HTTP/1.1\r\nHost: x\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await slow.server.drain(100);
  });
});

describe("size limits", () => {
  const post = (body: Buffer | string, headers: Record<string, string> = {}) =>
    fetch(door.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json", ...headers },
      body,
    });

  test("a body above the limit is refused", async () => {
    const answer = await post(JSON.stringify({ ...REQUEST, sellAmount: "1".repeat(70_000) }));
    expect(answer.status).toBe(429);
    const error = await answer.json();
    expect(error).toMatchObject({ code: "resource_exhausted" });
    expect(JSON.stringify(error)).toContain("BODY_TOO_LARGE");
  });

  test("a body that never ends is cut, and others go on", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await rawExchange(door.port, head + chunk + chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect((await door.get(PRICE)).status).toBe(200);
  });

  test("a refused key is answered without reading the body", async () => {
    const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n\r\n`;
    const answer = await rawExchange(door.port, head);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("a compression bomb is not opened", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(60_000);
    const answer = await post(bomb, { "content-encoding": "gzip" });
    expect(answer.status).toBe(501);
    const error = await answer.json();
    expect(error).toMatchObject({ code: "unimplemented" });
    expect(JSON.stringify(error)).toContain("UNSUPPORTED_COMPRESSION");
  });

  test("answers are not compressed, however much they are asked to be", async () => {
    const path = `${RPC}?connect=v1&encoding=json&message=${encodeURIComponent(JSON.stringify(REQUEST))}`;
    for (const text of [PRICE, path]) {
      const answer = await rawExchange(
        door.port,
        `GET ${text} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).not.toMatch(/content-encoding/i);
      expect(answer).toContain('"chainId":31337');
    }
  });

  test("headers above the limit are refused", async () => {
    const answer = await rawExchange(door.port, `GET /livez HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("a query of many parameters gets one short answer", async () => {
    const query = Array.from({ length: 2_000 }, (_, i) => `p${i}=1`).join("&");
    const { status, body } = await door.get(`/swap/v1/price?${query}`);
    expect(status).toBe(400);
    expect(body.validationErrors.length).toBeLessThan(120);
  });
});

test("a connection can be used again after a call was refused before its body had come", async () => {
  const head = (key: string, length: number) =>
    `POST ${RPC} HTTP/1.1\r\nHost: x\r\napi-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const body = JSON.stringify(REQUEST);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(door.port, "127.0.0.1", () => socket.write(head("wrong", body.length)));
    socket.on("data", (chunk: Buffer) => {
      const refusedBefore = text.includes("401 Unauthorized");
      text += chunk.toString("latin1");
      if (!refusedBefore && text.includes("401 Unauthorized")) socket.write(body + head(KEY, body.length) + body);
      else if (text.includes("200 OK")) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 OK/);
});

describe("a call that was answered before the end of a large body", () => {
  /** A REST call takes no body, a key that is wrong is told at once, and the last body is larger than any message. */
  const cases = [
    ["GET", PRICE, KEY, 400],
    ["POST", RPC, "wrong", 401],
    ["POST", RPC, KEY, 429],
  ] as const;

  test.each(cases)(
    "%s %s with the key %s is told that the connection ends, and no other call is lost on it",
    async (...of) => {
      const [method, path, key, status] = of;
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const options = { agent, host: "127.0.0.1", port: door.port };
      const ask = (more: RequestOptions, body?: Buffer) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const call = request({ ...options, ...more }, (answer) => answer.resume().once("end", () => resolve(answer)));
          call.on("error", reject);
          call.end(body);
        });
      const length = 1_000_000;
      const headers = { "api-key": key, "content-type": "application/json", "content-length": length };
      const refused = await ask({ method, path, headers }, Buffer.alloc(length, 0x20));
      expect([refused.statusCode, refused.headers.connection]).toEqual([status, "close"]);
      const next = await ask({ path: PRICE, headers: { "api-key": KEY } });
      expect(next.statusCode).toBe(200);
      agent.destroy();
    },
  );

  test("has its connection closed by us, whether the rest of the body comes or not", async () => {
    const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\napi-key: wrong\r\nContent-Type: application/json\r\n`;
    const next = `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`;
    const body = " ".repeat(70_000);
    const [counted, chunked] = ["Content-Length: 70000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"];
    for (const [start, rest] of [
      [counted, ""],
      [counted, body],
      [counted, body + next],
      [chunked, `1\r\n{\r\n0\r\n\r\n${next}`],
    ] as const) {
      const answer = await new Promise<string>((resolve) => {
        let text = "";
        const socket = connect(door.port, "127.0.0.1", () => socket.write(head + start));
        socket.on("data", (chunk: Buffer) => {
          if (text === "") socket.write(rest);
          text += chunk.toString("latin1");
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
      expect(answer).not.toContain("200 OK");
    }
    expect((await door.get(PRICE)).status).toBe(200);
  });
});

describe("bodies that never end, over HTTP/2", () => {
  /** Sends the start of a body and never ends it; resolves when the server closes the stream. */
  function halfRequest(port: number, key: string): Promise<http2.IncomingHttpHeaders> {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    session.on("error", () => {});
    const stream = session.request({
      ":method": "POST",
      ":path": RPC,
      "content-type": "application/json",
      "api-key": key,
    });
    let received: http2.IncomingHttpHeaders = {};
    stream.on("error", () => {});
    stream.on("response", (headers) => {
      received = headers;
    });
    stream.resume();
    stream.write("{");
    return new Promise((resolve) =>
      stream.once("close", () => {
        session.destroy();
        resolve(received);
      }),
    );
  }

  test("are not waited for when the key is wrong", async () => {
    expect(await halfRequest(door.port, "wrong")).toMatchObject({ ":status": 401 });
  });

  test("are cut after a while", async () => {
    const strict = await openDoor({ messages: { readMaxBytes: 65_536, bodyTimeoutMs: 100 } });
    expect(await halfRequest(strict.port, KEY)).toMatchObject({ ":status": 400 });
    await strict.server.drain(1_000);
  });
});

describe("HTTP/2 sessions", () => {
  test("do not stay behind when their peers vanish or leave streams unread", async () => {
    const swept = await openDoor({
      connections: { ...limits, sweep: { everyMs: 50, pingTimeoutMs: 100, closeGraceMs: 100 } },
    });
    let most = 0;
    for (let i = 0; i < 30; i++) {
      const session = http2.connect(swept.origin);
      session.on("error", () => {});
      const stream = session.request({ ...GRPC, "api-key": KEY });
      stream.on("error", () => {});
      stream.write(Buffer.from([0, 0, 0, 0, 200, 1, 2, 3]));
      await new Promise((resolve) => setTimeout(resolve, 5));
      most = Math.max(most, swept.server.sessionCount());
      if (i % 3 === 0) session.destroy();
      else if (i % 3 === 1) session.close();
      else stream.close(http2.constants.NGHTTP2_CANCEL, () => session.close());
    }
    expect(most).toBeGreaterThan(0);
    await expect.poll(() => swept.server.sessionCount(), { timeout: 15_000 }).toBe(0);
    await swept.server.drain(100);
  });

  test("whose peer has said goodbye do not wait for ever", async () => {
    const swept = await openDoor({
      connections: { ...limits, sweep: { everyMs: 50, pingTimeoutMs: 10_000, closeGraceMs: 100 } },
    });
    const started = Promise.withResolvers<void>();
    swept.quoting.before = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const session = http2.connect(swept.origin);
    session.on("error", () => {});
    const stream = session.request({ ":path": PRICE, "api-key": KEY });
    stream.on("error", () => {});
    await started.promise;
    session.goaway();
    await expect.poll(() => swept.server.sessionCount(), { timeout: 5_000 }).toBe(0);
    session.destroy();
    await swept.server.drain(100);
  });

  test("whose peer closes its half end at once", async () => {
    const socket = connect({ port: door.port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    });
    socket.once("data", () => socket.end());
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
    await expect.poll(() => door.server.sessionCount(), { timeout: 5_000 }).toBe(0);
  });

  test("that nobody uses are closed, though their peers answer pings", async () => {
    const swept = await openDoor({
      connections: {
        ...limits,
        keepAliveTimeoutMs: 300,
        sweep: { everyMs: 50, pingTimeoutMs: 10_000, closeGraceMs: 10_000 },
      },
    });
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    swept.quoting.before = () => {
      asked.resolve();
      return released.promise;
    };
    const [idle, used] = [http2.connect(swept.origin), http2.connect(swept.origin)];
    const stream = used.request({ ":path": PRICE, "api-key": KEY });
    await asked.promise;
    await new Promise((resolve) => idle.once("close", resolve));
    expect(used.closed).toBe(false);
    released.resolve();
    const [headers] = await once(stream, "response");
    expect(headers[":status"]).toBe(200);
    stream.resume();
    await new Promise((resolve) => used.once("close", resolve));
    await swept.server.drain(100);
  });

  test("that were closed unused are missed by no client", async () => {
    const swept = await openDoor({
      connections: {
        ...limits,
        keepAliveTimeoutMs: 100,
        sweep: { everyMs: 30, pingTimeoutMs: 10_000, closeGraceMs: 10_000 },
      },
    });
    const client = createClient(SwapService, createGrpcTransport({ baseUrl: swept.origin }));
    for (let turn = 0; turn < 3; turn++) {
      const answer = await client.getPrice(REQUEST, { headers: { "api-key": KEY } });
      expect(answer.sellAmount).toBe("1000");
      await expect.poll(() => swept.server.sessionCount(), { timeout: 5_000 }).toBe(0);
    }
    await swept.server.drain(100);
  });

  test("whose peer does not answer a ping are destroyed", async () => {
    const swept = await openDoor({
      connections: { ...limits, sweep: { everyMs: 50, pingTimeoutMs: 100, closeGraceMs: 100 } },
    });
    // A peer that opens a session and then never says anything again.
    const socket = connect(swept.port, "127.0.0.1", () => {
      socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    });
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume();
    await closed;
    await expect.poll(() => swept.server.sessionCount()).toBe(0);
    await swept.server.drain(100);
  });
});

describe("a timeout longer than any timer", () => {
  const message = toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, REQUEST));
  const enveloped = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 30));

  test.each(["2147484S", "99999999S", "99999999H"])("of gRPC is no timeout that is over: %s", async (timeout) => {
    door.quoting.before = slow;
    const seen = await h2Request(door.port, { ...GRPC, "api-key": KEY, "grpc-timeout": timeout }, enveloped);
    door.quoting.before = async () => {};
    expect(seen).toMatchObject({ trailers: true, endedByHeaders: false });
  });

  test.each(["2147483648", "9999999999"])("of Connect is no timeout that is over: %s", async (timeout) => {
    door.quoting.before = slow;
    const headers = { ...GRPC, "content-type": "application/proto", "api-key": KEY, "connect-timeout-ms": timeout };
    const seen = await h2Request(door.port, headers, Buffer.from(message));
    door.quoting.before = async () => {};
    expect(seen.headers[":status"]).toBe(200);
  });
});

describe("drain", () => {
  test("finishes what is in flight on every protocol, and refuses the rest", async () => {
    const draining = await openDoor();
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let waiting = 0;
    draining.quoting.before = async () => {
      if (++waiting === 3) started.resolve();
      await release.promise;
    };
    const rest = draining.get(PRICE);
    const connectJson = fetch(draining.origin + RPC, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify(REQUEST),
    });
    const grpc = callGrpcJs(draining.port, "getPrice", REQUEST);
    await started.promise;
    let drained = false;
    const drain = draining.server.drain(10_000).then(() => {
      drained = true;
    });
    await expect(fetch(`${draining.origin}/livez`)).rejects.toThrow();
    expect(drained).toBe(false);
    release.resolve();
    expect((await rest).status).toBe(200);
    expect((await connectJson).status).toBe(200);
    expect(await grpc).toMatchObject({ buyAmount: "2000" });
    await drain;
    await expect.poll(() => draining.server.sessionCount()).toBe(0);
  });

  test("cuts what does not end", async () => {
    const draining = await openDoor();
    const started = Promise.withResolvers<void>();
    draining.quoting.before = () => {
      started.resolve();
      return new Promise(() => {});
    };
    const stuck = expect(draining.get(PRICE)).rejects.toThrow();
    await started.promise;
    await draining.server.drain(50);
    await stuck;
  });
});
