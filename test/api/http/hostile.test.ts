import http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SERVER_CONFIG } from "../../../src/api/server.ts";
import { callGrpcJs } from "../../support/door/grpc-js.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { GRPC, PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

const HUNDRED_MB = 100 * 2 ** 20;

let door: Door;
beforeAll(async () => {
  const connections = { ...DEFAULT_SERVER_CONFIG.connections, headersTimeoutMs: 500, requestTimeoutMs: 500 };
  door = await openDoor({ connections, messages: { readMaxBytes: 65_536, bodyTimeoutMs: 500 } });
});
afterAll(() => door.server.drain(1_000));

/** Runs an attack while a well-behaved client goes on; every one of its answers must be right. */
async function whileOthersGoOn<T>(attack: () => Promise<T>): Promise<T> {
  let over = false;
  let served = 0;
  const behaved = (async () => {
    while (!over || served < 3) {
      expect((await door.get(PRICE)).status).toBe(200);
      served += 1;
    }
  })();
  const result = await attack().finally(() => {
    over = true;
  });
  await behaved;
  return result;
}

/** Writes chunks for as long as they are taken, `most` bytes at the most. */
function pour(head: string, chunk: Buffer, most: number): Promise<{ answer: string; taken: number }> {
  return new Promise((resolve) => {
    let answer = "";
    const socket: Socket = connect(door.port, "127.0.0.1", () => {
      socket.write(head);
      let written = 0;
      const more = () => {
        while (written < most && !socket.destroyed) {
          written += chunk.length;
          if (!socket.write(chunk)) return void socket.once("drain", more);
        }
        if (!socket.destroyed) socket.end();
      };
      more();
    });
    socket.on("data", (data: Buffer) => {
      answer += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve({ answer, taken: socket.bytesWritten }));
  });
}

describe("what is too large", () => {
  const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\nContent-Type: application/json\r\n`;

  test("a body of 100 MB is cut long before its end", async () => {
    const chunk = Buffer.alloc(2 ** 16, 0x20);
    const { answer, taken } = await whileOthersGoOn(() =>
      pour(`${head}Content-Length: ${HUNDRED_MB}\r\n\r\n`, chunk, HUNDRED_MB),
    );
    expect(taken).toBeLessThan(HUNDRED_MB / 4);
    // The answer may be lost when the connection is cut: what counts is that the body was not taken.
    expect(answer === "" || answer.startsWith("HTTP/1.1 429 ")).toBe(true);
  });

  test("a body of 100 MB over HTTP/2 is cut by its stream, and the session goes on", async () => {
    const session = http2.connect(door.origin);
    const stream = session.request({
      ...{ ":method": "POST", ":path": RPC, "content-type": "application/json", "api-key": KEY },
    });
    let sent = 0;
    stream.on("error", () => {});
    stream.resume();
    // Node's client waits with "close" until all is written, which will never be.
    const closed = new Promise((resolve) => stream.once("aborted", resolve));
    const chunk = Buffer.alloc(2 ** 16, 0x20);
    const more = () => {
      while (sent < HUNDRED_MB && !stream.destroyed && !stream.closed) {
        sent += chunk.length;
        if (!stream.write(chunk)) return void stream.once("drain", more);
      }
    };
    more();
    await whileOthersGoOn(() => closed);
    expect(sent).toBeLessThan(HUNDRED_MB / 4);
    const after = session.request({ ":path": PRICE, "api-key": KEY });
    const [headers] = await new Promise<[http2.IncomingHttpHeaders]>((resolve) =>
      after.once("response", (received) => resolve([received])),
    );
    expect(headers[":status"]).toBe(200);
    session.destroy();
  });

  test.each([
    ["one header of 64 KiB", `A: ${"a".repeat(65_536)}\r\n`],
    ["64 KiB of small headers", Array.from({ length: 5_000 }, (_, i) => `a${i}: ${i}\r\n`).join("")],
  ])("%s", async (_, headers) => {
    const text = `GET ${PRICE} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    expect(await whileOthersGoOn(() => rawExchange(door.port, text).catch(() => "cut"))).toMatch(
      /^(HTTP\/1\.1 431 |cut)/,
    );
  });

  test("64 KiB of headers over HTTP/2", async () => {
    const session = http2.connect(door.origin, { maxSendHeaderBlockLength: 2 ** 20 } as never);
    session.on("error", () => {});
    const stream = session.request({ ":path": PRICE, "api-key": KEY, a: "a".repeat(65_536) });
    let status: unknown;
    stream.on("response", (headers) => {
      status = headers[":status"];
    });
    stream.on("error", () => {});
    stream.resume();
    await whileOthersGoOn(() => new Promise((resolve) => stream.once("close", resolve)));
    expect(status).toBe(431);
    session.destroy();
  });

  test("a million parameters", async () => {
    const query = Array.from({ length: 1_000_000 }, (_, i) => `p${i}=1`).join("&");
    const text = `GET /swap/v1/price?${query} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`;
    expect(await whileOthersGoOn(() => rawExchange(door.port, text).catch(() => "cut"))).toMatch(
      /^(HTTP\/1\.1 431 |cut)/,
    );
  });

  test("a message of as many fields, nestings or repetitions as fit", async () => {
    const bodies = [
      `{${Array.from({ length: 6_000 }, (_, i) => `"p${i}":1`).join(",")}}`,
      `{"sellToken":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      `{${Array.from({ length: 3_000 }, () => '"sellToken":"x"').join(",")}}`,
      `{"excludedSources":[${Array.from({ length: 15_000 }, () => '"a"').join(",")}]}`,
    ];
    for (const body of bodies) {
      expect(body.length).toBeLessThan(65_536);
      const headers = { "api-key": KEY, "content-type": "application/json" };
      const answer = await whileOthersGoOn(() => fetch(door.origin + RPC, { method: "POST", headers, body }));
      expect(answer.status).toBe(400);
      await answer.arrayBuffer();
    }
  });
});

test("lists of thousands of sources get one short answer, on every protocol", async () => {
  const names = Array.from({ length: 9_000 }, (_, i) => `n${i}`);
  const init = { method: "POST", headers: { "api-key": KEY, "content-type": "application/json" } };
  for (const excludedSources of [[names.join()], names.slice(0, 900), names.slice(0, 6_000)]) {
    const request = { ...REQUEST, excludedSources };
    const answer = await whileOthersGoOn(() => fetch(door.origin + RPC, { ...init, body: JSON.stringify(request) }));
    const text = await answer.text();
    expect([answer.status, text.length < 4_096]).toEqual([400, true]);
    expect(text).toMatch(/excludedSources has (more than 256 elements|\d+ names)|more than 2000 commas and colons/);
    const grpc = whileOthersGoOn(() => callGrpcJs(door.port, "getPrice", request));
    // RESOURCE_EXHAUSTED where the message has more fields than are looked at, else INVALID_ARGUMENT.
    await expect(grpc).rejects.toMatchObject({ code: excludedSources.length > 1_000 ? 8 : 3 });
  }
});

test.each([
  ["an amount of many zeros", { sellAmount: `1.${"0".repeat(60_000)}` }],
  ["long names that nobody knows", Object.fromEntries(Array.from({ length: 100 }, (_, i) => ["ö".repeat(99) + i, 1]))],
])("what is wrong with %s fits into gRPC's headers", async (_, change) => {
  const message = Buffer.from(JSON.stringify({ ...REQUEST, ...change }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const session = http2.connect(door.origin);
  const stream = session.request({
    ...{ ":method": "POST", ":path": RPC, "content-type": "application/grpc+json", te: "trailers", "api-key": KEY },
  });
  const status = new Promise((resolve) => {
    stream.once("response", (headers) => resolve(headers["grpc-status"]));
    stream.once("error", (error) => resolve(error.message));
  });
  stream.end(Buffer.concat([head, message]));
  expect(await status).toBe("3");
  session.destroy();
});

describe("a compression bomb is opened no further than a message may be large", () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
  const flagged = Buffer.concat([
    Buffer.from([1, 0, bomb.length >> 16, (bomb.length >> 8) & 255, bomb.length & 255]),
    bomb,
  ]);

  test.each([
    ["Connect", { "content-type": "application/json", "content-encoding": "gzip" }, bomb, 429],
    ["Connect with brotli", { "content-type": "application/json", "content-encoding": "br" }, bomb, 501],
    [
      "a Connect stream",
      { "content-type": "application/connect+json", "connect-content-encoding": "gzip" },
      flagged,
      200,
    ],
    ["gRPC-Web", { "content-type": "application/grpc-web+proto", "grpc-encoding": "gzip" }, flagged, 200],
    ["gRPC-Web that does not say so", { "content-type": "application/grpc-web+proto" }, flagged, 200],
  ])("over %s", async (_, headers: Record<string, string>, body, status) => {
    const path = headers["content-type"]!.includes("connect+") ? RPC.replace("GetPrice", "WatchPrice") : RPC;
    const before = process.memoryUsage().arrayBuffers;
    const answer = await whileOthersGoOn(() =>
      fetch(door.origin + path, { method: "POST", headers: { "api-key": KEY, ...headers }, body }),
    );
    expect(answer.status).toBe(status);
    const text = await answer.text();
    const withoutGzip = headers["content-encoding"] === "br" ? /unimplemented/ : /grpc-status: 13\b/i;
    const isRead = Object.values(headers).includes("gzip");
    expect(text).toMatch(isRead ? /resource_exhausted|grpc-status: 8\b/i : withoutGzip);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(25_000_000);
  });

  test("over gRPC", async () => {
    const session = http2.connect(door.origin);
    const stream = session.request({ ...GRPC, "api-key": KEY, "grpc-encoding": "gzip" });
    const status = await whileOthersGoOn(
      () =>
        new Promise((resolve) => {
          stream.once("response", (headers) => resolve(headers["grpc-status"]));
          stream.on("error", () => {});
          stream.end(flagged);
        }),
    );
    session.destroy();
    expect(status).toBe("8");
  });
});

describe("what is too slow", () => {
  /** Sends `text`, then single bytes until it is cut. */
  const trickle = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = "";
      let timer: NodeJS.Timeout | undefined;
      const socket = connect(door.port, "127.0.0.1", () => {
        socket.write(text);
        timer = setInterval(() => socket.write("a"), 50);
      });
      socket.on("data", (data: Buffer) => {
        answer += data.toString("latin1");
      });
      socket.on("error", () => {});
      socket.once("close", () => {
        clearInterval(timer);
        resolve(answer);
      });
    });

  test("headers that come byte by byte are cut", async () => {
    const cut = Array.from({ length: 20 }, () => trickle("GET /livez HTTP/1.1\r\nHost: x\r\nA: "));
    for (const answer of await whileOthersGoOn(() => Promise.all(cut))) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test("bodies that come byte by byte are cut", async () => {
    const head = `POST ${RPC} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
    const cut = Array.from({ length: 20 }, () => trickle(head));
    for (const answer of await whileOthersGoOn(() => Promise.all(cut)))
      expect(answer).toMatch(/^(HTTP\/1\.1 4(00|08) |$)/);
  });
});

describe("rapid resets", () => {
  test("end their session, not the others'", async () => {
    const before = door.quoting.asked.length;
    const session = http2.connect(door.origin);
    session.on("error", () => {});
    const closed = new Promise((resolve) => session.once("close", resolve));
    let opened = 0;
    const burst = () => {
      for (let i = 0; i < 100 && !session.destroyed && !session.closed; i += 1) {
        const stream = session.request({ ":path": PRICE, "api-key": KEY });
        stream.on("error", () => {});
        stream.close(http2.constants.NGHTTP2_CANCEL);
        opened += 1;
      }
      if (!session.destroyed && !session.closed && opened < 20_000) setImmediate(burst);
    };
    burst();
    await whileOthersGoOn(() => closed);
    expect(opened).toBeLessThan(20_000);
    expect(opened).toBeGreaterThan(100);
    expect(door.quoting.asked.length - before).toBeLessThan(20_000);
    await expect.poll(() => door.server.sessionCount()).toBe(0);
  });
});

test("a shutdown does not wait for a peer that never stops sending", async () => {
  const other = await openDoor();
  const session = http2.connect(other.origin);
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": RPC,
    "content-type": "application/json",
    "api-key": KEY,
  });
  stream.on("error", () => {});
  stream.resume();
  const answered = new Promise((resolve) => stream.once("response", resolve));
  const pour = () => {
    if (!stream.destroyed) stream.write(Buffer.alloc(2 ** 16, 0x20), pour);
  };
  pour();
  await answered;
  await other.server.drain(200);
  await expect.poll(() => other.server.sessionCount()).toBe(0);
  session.destroy();
});
