import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

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

  test("a compression bomb is opened no further than a message may be large", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(60_000);
    const answer = await post(bomb, { "content-encoding": "gzip" });
    expect(answer.status).toBe(429);
    const error = await answer.json();
    expect(error).toMatchObject({ code: "resource_exhausted" });
    expect(JSON.stringify(error)).toContain("BODY_TOO_LARGE");
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
