import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
let small: Door;
beforeAll(async () => {
  // The answers of the fake are smaller than what is compressed by default.
  door = await openDoor({ compressFromBytes: 1_000 });
  small = await openDoor();
});
afterAll(() => Promise.all([door.server.drain(1_000), small.server.drain(1_000)]));

/** An answer as it came over the wire: `fetch` would decompress it. */
function ask(at: Door, path: string, headers: Record<string, string>, method = "GET", body?: Buffer) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const sent = httpRequest(at.origin + path, { method, headers: { "api-key": KEY, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const CONNECT_GET = `${RPC}?connect=v1&encoding=json&message=${encodeURIComponent(JSON.stringify(REQUEST))}`;
const JSON_TYPE = { "content-type": "application/json" };

describe("answers in gzip", () => {
  test.each([
    ["REST", PRICE, {}, "GET", undefined],
    ["Connect GET", CONNECT_GET, {}, "GET", undefined],
    ["Connect POST", RPC, JSON_TYPE, "POST", Buffer.from(JSON.stringify(REQUEST))],
    ["a page", "/openapi.json", {}, "GET", undefined],
    ["the console", "/console.js", {}, "GET", undefined],
  ] as const)("%s", async (_, path, headers, method, body) => {
    const plain = await ask(door, path, headers, method, body);
    const packed = await ask(door, path, { ...headers, "accept-encoding": "gzip, deflate, br" }, method, body);
    expect([plain.status, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
      200,
      undefined,
      "accept-encoding",
    ]);
    expect([packed.status, packed.headers["content-encoding"], packed.headers.vary]).toEqual([
      200,
      "gzip",
      "accept-encoding",
    ]);
    expect(Number(packed.headers["content-length"])).toBe(packed.bytes.length);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 1.5);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  });

  test("over HTTP/2", async () => {
    const { headers, body } = await h2Request(door.port, { ":path": PRICE, "api-key": KEY, "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(Buffer.from(body, "latin1")).toString())).toMatchObject({ buyAmount: "2000" });
  });

  test("HEAD has the headers that GET has, and no body", async () => {
    const headers = { "accept-encoding": "gzip" };
    const got = await ask(door, PRICE, headers);
    const head = await ask(door, PRICE, headers, "HEAD");
    const { date: _, "x-request-id": __, ...expected } = got.headers;
    expect(head.headers).toMatchObject(expected);
    expect(head.bytes.length).toBe(0);
  });

  test("are the same when they are kept and sent again", async () => {
    door.state.epoch = {};
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push((await ask(door, PRICE, { "accept-encoding": "gzip" })).bytes);
    for (const other of answers) expect(other.equals(answers[0]!)).toBe(true);
    door.state.epoch = undefined;
  });
});

describe("who gets them", () => {
  test.each([
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip;q=0.5, identity;q=0.1", "gzip"],
    ["br;q=1, gzip;q=0.8, *;q=0.1", "gzip"],
    ["*", "gzip"],
    ["identity", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0, *", undefined],
    ["gzip;q=0.1, identity;q=0.5", undefined],
    ["br, deflate, zstd", undefined],
    ["", undefined],
    // Nothing that is there is taken: the answer goes out as it is.
    ["identity;q=0", undefined],
    ["*;q=0", undefined],
    [`${"x, ".repeat(2_000)}gzip`, undefined],
  ])("accept-encoding: %s", async (accepted, coding) => {
    const { status, headers } = await ask(door, PRICE, { "accept-encoding": accepted });
    expect([status, headers["content-encoding"]]).toEqual([200, coding]);
  });

  test("what is small is compressed only for callers that take nothing else", async () => {
    const of = async (accepted: string) =>
      (await ask(small, PRICE, { "accept-encoding": accepted })).headers["content-encoding"];
    expect([await of("gzip"), await of("gzip, identity;q=0")]).toEqual([undefined, "gzip"]);
  });

  test("nobody, where the operator wants none", async () => {
    const none = await openDoor({ compressFromBytes: Number.POSITIVE_INFINITY });
    for (const path of [PRICE, CONNECT_GET, "/openapi.json"]) {
      const { headers } = await ask(none, path, { "accept-encoding": "gzip, identity;q=0" });
      expect(headers["content-encoding"]).toBeUndefined();
    }
    await none.server.drain(100);
  });

  test("no stream of events: each goes out as soon as it is there", async () => {
    const stop = new AbortController();
    const headers = { "api-key": KEY, "accept-encoding": "gzip" };
    const path = PRICE.replace("price?", "price/stream?");
    const response = await fetch(door.origin + path, { headers, signal: stop.signal });
    expect(response.headers.get("content-encoding")).toBeNull();
    stop.abort();
  });
});

describe("requests in gzip", () => {
  const body = gzipSync(JSON.stringify(REQUEST));

  test.each(["gzip", "x-gzip", "GZIP"])("content-encoding: %s is read", async (coding) => {
    const { status } = await ask(door, RPC, { ...JSON_TYPE, "content-encoding": coding }, "POST", body);
    expect(status).toBe(200);
  });

  test("a Connect GET may be compressed", async () => {
    const query = `connect=v1&encoding=json&base64=1&compression=gzip&message=${body.toString("base64url")}`;
    expect((await ask(door, `${RPC}?${query}`, {})).status).toBe(200);
  });

  test("another coding is answered with those that are read", async () => {
    const answer = await ask(door, RPC, { ...JSON_TYPE, "content-encoding": "br" }, "POST", body);
    expect([answer.status, answer.headers["accept-encoding"]]).toEqual([501, "gzip, identity"]);
  });

  test("what is no gzip is no message", async () => {
    const answer = await ask(door, RPC, { ...JSON_TYPE, "content-encoding": "gzip" }, "POST", Buffer.from("{}"));
    expect([answer.status, answer.bytes.toString()]).toEqual([400, expect.stringContaining("BROKEN_COMPRESSION")]);
  });
});
