import http2 from "node:http2";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { TEST_NETWORK, TEST_TOKENS } from "../../../fixtures/door/test-network.ts";
import { createOperations } from "../../../src/api/operations.ts";
import { DEFAULT_SERVER_CONFIG } from "../../../src/api/server.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { GRPC, PRICE, REQUEST } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  const connections = { ...DEFAULT_SERVER_CONFIG.connections, unread: { mostMs: 100, everyMs: 10 } };
  door = await openDoor({ connections });
});
afterAll(() => door.server.drain(1_000));

/** A message of gRPC: five bytes of head before it. */
function enveloped(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const inFlight = async () => (await door.metrics.apiRequestsInFlight.get()).values[0]?.value;

test.each([
  ["a page", { ":path": "/console.js" }],
  ["a price", { ":path": PRICE }],
  ["a stream of prices", { ":path": PRICE.replace("?", "/stream?") }],
  ["a price over gRPC", GRPC],
])("%s that an HTTP/2 client grants no window for is dropped, and its session goes on", async (_, headers) => {
  const session = http2.connect(door.origin, { settings: { initialWindowSize: 0 } });
  const unread = session.request({ ...headers, "api-key": KEY });
  unread.on("error", () => {});
  unread.pause();
  unread.end(
    headers === GRPC ? enveloped(toBinary(GetPriceRequestSchema, create(GetPriceRequestSchema, REQUEST))) : "",
  );
  await new Promise((resolve) => unread.once("response", resolve));
  await expect.poll(inFlight).toBe(0);
  expect(session.destroyed).toBe(false);
  session.destroy();
});

test("answers that an HTTP/1.1 client does not read are dropped with their connection", async () => {
  const socket = connect(door.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET /console.js HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
  await expect.poll(inFlight).toBeGreaterThan(0);
  await expect.poll(inFlight).toBe(0);
  socket.destroy();
});

test("a stream of prices that is read stays, however little is said on it", async () => {
  const answer = await fetch(`${door.origin}${PRICE.replace("?", "/stream?")}`, { headers: { "api-key": KEY } });
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await wait(300);
  expect(await inFlight()).toBe(1);
  await reader?.cancel();
  await expect.poll(inFlight).toBe(0);
});

test("pages that stay as they are are there once, however many read them under whatever name", () => {
  const { quoting } = door;
  const readiness = () => ({ ready: true });
  const { find } = createOperations({
    network: TEST_NETWORK,
    docs: true,
    quoting,
    readiness,
    tokens: () => TEST_TOKENS,
  });
  for (const path of ["/", "/console.js", "/docs/viewer.js", "/docs/errors", "/tokens.json"]) {
    const page = find(path);
    expect(page?.("http://a.example").body).toBeInstanceOf(Uint8Array);
    expect(page?.("http://a.example").body).toBe(page?.("http://b.example").body);
  }
  for (const path of ["/docs", "/openapi.json", "/llms.txt"]) {
    const [ofA, ofB] = ["http://a.example", "http://b.example"].map((origin) => find(path)?.(origin).body);
    if (!Array.isArray(ofA) || !Array.isArray(ofB)) throw new Error(`${path} is not in parts`);
    const shared = ofA.filter((part) => ofB.includes(part));
    expect(shared.length).toBe(Math.ceil(ofA.length / 2));
    expect(Buffer.concat(ofA).toString()).toContain("http://a.example");
  }
});
