import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelFrame, preface, requestFrames } from "../../../fixtures/door/http2-frames.ts";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Errors during `act` that would have ended the process. */
async function crashesDuring(act: () => Promise<void>): Promise<readonly unknown[]> {
  const crashes: unknown[] = [];
  const onCrash = (error: unknown) => void crashes.push(error);
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", onCrash);
  await act();
  process.off("uncaughtException", onCrash);
  for (const other of others) process.on("uncaughtException", other);
  return crashes;
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
    ["two", "1.1", "Host: x\r\nhost: y\r\n"],
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

test("what is no request has its line in the log, by the id that it was answered with", async () => {
  const tooLarge = { "x-more": "x".repeat(20_000) };
  const answers = [
    [await rawExchange(door.port, "no HTTP\r\n\r\n"), "MALFORMED_REQUEST", 400],
    [
      await rawExchange(door.port, `GET / HTTP/1.1\r\nHost: x\r\nx-more: ${tooLarge["x-more"]}\r\n\r\n`),
      "HEADERS_TOO_LARGE",
      431,
    ],
    [(await h2Request(door.port, { ":path": "/", ...tooLarge })).body, "HEADERS_TOO_LARGE", 431],
  ] as const;
  for (const [answer, reason, status] of answers) {
    const [, requestId] = /"requestId":"([^"]+)"/.exec(answer) ?? [];
    const lines = door.log.filter((line) => line.requestId === requestId);
    expect(lines).toMatchObject([{ msg: "request", outcome: "MALFORMED_BODY", reasons: [reason], status }]);
  }
  const { values } = await door.metrics.apiRequests.get();
  expect(values.find(({ labels }) => labels.outcome === "MALFORMED_BODY")?.value).toBeGreaterThanOrEqual(3);
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
    const crashes = await crashesDuring(async () => {
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
    });
    expect(crashes).toEqual([]);
  });

  test("a CONNECT, as if this were a proxy", async () => {
    const answer = await rawExchange(door.port, "CONNECT x.example:443 HTTP/1.1\r\nHost: x.example:443\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(answer).toContain("MALFORMED_REQUEST");
    const { headers } = await h2Request(door.port, { ":method": "CONNECT", ":authority": "x.example:443" });
    expect(headers).toMatchObject({ ":status": 404, "x-request-id": expect.any(String) });
  });

  test("a CONNECT whose caller is gone before its answer is written does not end the process", async () => {
    const crashes = await crashesDuring(async () => {
      for (let i = 0; i < 50; i++) {
        const socket = connect(door.port, "127.0.0.1", () => {
          socket.write(`CONNECT x.example:443 HTTP/1.1\r\nHost: x.example:443\r\n\r\n${"x".repeat(3_000)}`);
          setImmediate(() => socket.resetAndDestroy());
        });
        await new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
      }
      expect((await door.get(PRICE)).status).toBe(200);
    });
    expect(crashes).toEqual([]);
  });

  test("an expectation that nobody knows is passed over", async () => {
    const text = "GET /livez HTTP/1.1\r\nHost: x\r\nExpect: the best\r\nConnection: close\r\n\r\n";
    expect(await rawExchange(door.port, text)).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
