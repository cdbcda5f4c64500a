import type http2 from "node:http2";
import { connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test } from "vitest";
import { WatchPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import { cancelFrame, preface, requestFrames } from "../../../fixtures/door/http2-frames.ts";
import { DEFAULT_BOUNDS, type ServerBounds } from "../../../src/api/limits/bounds.ts";
import { DEFAULT_SERVER_CONFIG, type ServerConfig } from "../../../src/api/server.ts";
import { openGrpcStream, openSession } from "../../support/door/h2-streams.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";

const HEALTH = "/grpc.health.v1.Health/Watch";
const WATCH = "/swap.v1.SwapService/WatchPrice";
const RESOURCE_EXHAUSTED = "8";

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function doorWith(config: Partial<ServerConfig> = {}): Promise<Door> {
  const door = await openDoor(config);
  ends.push(() => door.server.drain(200));
  return door;
}

function sessionOf(door: Door, address?: string): http2.ClientHttp2Session {
  const session = openSession(door.port, address);
  ends.push(() => session.destroy());
  return session;
}

function boundsWith(connections: Partial<ServerBounds["connections"]>): ServerBounds {
  return { ...DEFAULT_BOUNDS, connections: { ...DEFAULT_BOUNDS.connections, ...connections } };
}

/** One GET on a connection of its own: its HTTP status, or "cut". */
function freshGet(door: Door, path: string, options: { address?: string; key?: string } = {}): Promise<string> {
  const { address = "127.0.0.1", key } = options;
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ port: door.port, host: "127.0.0.1", localAddress: address }, () => {
      const header = key === undefined ? "" : `api-key: ${key}\r\n`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`);
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? "cut"));
  });
}

describe("streams of health without a key", () => {
  test("are bounded on a connection, and one more is told so at once", async () => {
    const session = sessionOf(await doorWith());
    const streams = Array.from({ length: 12 }, () => openGrpcStream(session, HEALTH));
    await expect.poll(() => streams.filter(({ seen }) => seen.isOver).length).toBe(2);
    expect(streams.filter(({ seen }) => seen.bytes > 0)).toHaveLength(10);
    expect(streams[11]?.seen.status).toBe(RESOURCE_EXHAUSTED);
    expect(streams[11]?.seen.message).toContain("10 keyless streams of a connection are open");
    // A closed stream makes room.
    streams[0]?.stream.close();
    await expect
      .poll(() => {
        const { stream, seen } = openGrpcStream(session, HEALTH);
        return new Promise((resolve) => stream.once("data", () => resolve(seen.bytes > 0)).once("close", resolve));
      })
      .toBe(true);
  });

  test("are bounded for an address, and in total", async () => {
    const streams = { ...DEFAULT_BOUNDS.streams, keylessPerAddress: 15, keyless: 20 };
    const door = await doorWith({ bounds: { ...DEFAULT_BOUNDS, streams } });
    const open = async (address: string) => {
      const sessions = [sessionOf(door, address), sessionOf(door, address)];
      const opened = sessions.flatMap((session) => Array.from({ length: 10 }, () => openGrpcStream(session, HEALTH)));
      await expect.poll(() => opened.every(({ seen }) => seen.isOver || seen.bytes > 0)).toBe(true);
      return opened.filter(({ seen }) => !seen.isOver).length;
    };
    expect(await open("127.0.0.1")).toBe(15);
    expect(await open("127.0.0.2")).toBe(5);
  });

  test("do not keep a connection: it is closed like one without a request", async () => {
    const { connections } = DEFAULT_SERVER_CONFIG;
    const sweep = { everyMs: 50, pingTimeoutMs: 10_000, closeGraceMs: 100 };
    const door = await doorWith({ connections: { ...connections, keepAliveTimeoutMs: 300, sweep } });
    const session = sessionOf(door);
    const { seen } = openGrpcStream(session, HEALTH);
    await expect.poll(() => seen.bytes).toBeGreaterThan(0);
    // A stream of prices does, though nothing comes on it for as long.
    const other = sessionOf(door);
    const query = PRICE.replace("/price?", "/price/stream?");
    const stream = other.request({ ":path": query, "api-key": KEY });
    stream.resume().on("error", () => {});
    await expect.poll(() => session.destroyed).toBe(true);
    expect(other.closed).toBe(false);
    await expect.poll(() => door.server.sessionCount()).toBe(1);
  });

  test("do not keep a connection of HTTP/1.1 either", async () => {
    const { connections } = DEFAULT_SERVER_CONFIG;
    const sweep = { everyMs: 50, pingTimeoutMs: 10_000, closeGraceMs: 100 };
    const door = await doorWith({ connections: { ...connections, keepAliveTimeoutMs: 300, sweep } });
    const head = `POST ${HEALTH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\nContent-Length: 7\r\n\r\n`;
    let answer = "";
    const socket = connect(door.port, "127.0.0.1", () => socket.write(`${head}\0\0\0\0\x02{}`));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    await new Promise((resolve) => socket.once("close", resolve));
    expect(answer).toContain("SERVING");
  });
});

describe("connections", () => {
  test("of strangers that hold all places give way to a new client, again and again", async () => {
    const door = await doorWith({ bounds: boundsWith({ most: 40 }) });
    const hostile = Array.from({ length: 60 }, (_, i) => {
      const session = sessionOf(door, `127.0.0.${2 + (i % 4)}`);
      return { session, ...openGrpcStream(session, HEALTH) };
    });
    await expect.poll(() => hostile.filter(({ session }) => session.destroyed).length).toBe(20);
    for (let i = 0; i < 10; i++) expect(await freshGet(door, PRICE, { key: KEY })).toBe("200");
  });

  test("of a key keep their places, whatever strangers open", async () => {
    const door = await doorWith({ bounds: boundsWith({ most: 20, keyless: 10 }) });
    const good = Array.from({ length: 10 }, () => sessionOf(door, "127.0.0.9"));
    for (const session of good) {
      const stream = session.request({ ":path": PRICE, "api-key": KEY });
      await new Promise((resolve) => stream.resume().once("close", resolve));
    }
    const strangers = Array.from({ length: 40 }, (_, i) => sessionOf(door, `127.0.0.${10 + (i % 5)}`));
    await expect.poll(() => strangers.filter(({ destroyed }) => destroyed).length).toBe(30);
    expect(good.filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  test("of one address end its own oldest idle one, not those of others", async () => {
    const door = await doorWith({ bounds: boundsWith({ perAddress: 3 }) });
    const other = sessionOf(door, "127.0.0.2");
    const own: http2.ClientHttp2Session[] = [];
    for (let i = 0; i < 5; i++) {
      const session = sessionOf(door);
      own.push(session);
      await new Promise((resolve) => session.once("remoteSettings", resolve));
    }
    await expect.poll(() => own.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false]);
    expect(other.destroyed).toBe(false);
  });

  test("come at a rate that an address may open, and a key makes up for its own", async () => {
    const door = await doorWith({ bounds: boundsWith({ newPerSecondAndAddress: 1 }) });
    const statuses = await Promise.all(Array.from({ length: 12 }, () => freshGet(door, "/livez")));
    expect(statuses.filter((status) => status === "cut").length).toBeGreaterThanOrEqual(6);
    for (let i = 0; i < 12; i++) expect(await freshGet(door, PRICE, { address: "127.0.0.2", key: KEY })).toBe("200");
  });
});

describe("requests without a valid key", () => {
  test("are bounded for an address; the connection ends, and neither others nor keys are touched", async () => {
    const door = await doorWith({ bounds: { ...DEFAULT_BOUNDS, keylessPerSecondAndAddress: 1 } });
    const statuses: string[] = [];
    for (let i = 0; i < 12; i++) statuses.push(await freshGet(door, "/status"));
    expect(statuses).toEqual([...Array(10).fill("200"), "429", "429"]);
    const refused = await fetch(`${door.origin}/swap/v1/nothing`);
    expect([refused.status, refused.headers.get("connection"), refused.headers.get("retry-after")]).toEqual([
      ...[429, "close", "1"],
    ]);
    expect(await refused.json()).toMatchObject({ code: 103, reason: "TOO_MANY_KEYLESS_REQUESTS" });
    // A probe has a rate of its own: a flood does not have the service restarted.
    expect(await freshGet(door, "/livez")).toBe("200");
    expect(await freshGet(door, "/status", { address: "127.0.0.2" })).toBe("200");
    expect(await freshGet(door, PRICE, { key: KEY })).toBe("200");
  });

  test("over HTTP/2 end the session that goes on with them", async () => {
    const door = await doorWith({ bounds: { ...DEFAULT_BOUNDS, keylessPerSecondAndAddress: 1 } });
    const session = sessionOf(door);
    const seen: unknown[] = [];
    for (let i = 0; i < 40 && !session.closed; i++) {
      const stream = session.request({ ":path": "/status" });
      stream.on("response", (headers) => seen.push(headers[":status"])).on("error", () => {});
      await new Promise((resolve) => stream.resume().once("close", resolve));
    }
    await expect.poll(() => session.destroyed).toBe(true);
    expect(seen).toEqual([...Array(10).fill(200), 429]);
  });
});

test("resets of one address are bounded over all its connections, and a client elsewhere goes on", async () => {
  const door = await doorWith({ bounds: { ...DEFAULT_BOUNDS, resetsPerSecond: 20 } });
  const resets = async (address: string, count: number) => {
    const session = sessionOf(door, address);
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    for (let i = 0; i < count && !session.destroyed; i++) {
      const stream = session.request({ ":path": PRICE, "api-key": KEY }).on("error", () => {});
      stream.close(8);
      await new Promise((resolve) => session.ping(resolve));
    }
    return session;
  };
  const other = await resets("127.0.0.2", 5);
  // Each connection stays below the bound, all of them together do not.
  const sessions = await Promise.all(Array.from({ length: 8 }, () => resets("127.0.0.1", 15)));
  await expect.poll(() => sessions.some(({ destroyed }) => destroyed)).toBe(true);
  expect(other.destroyed).toBe(false);
  expect(await freshGet(door, PRICE, { key: KEY })).toBe("200");
});

test("an address without a key that resets gets no new HTTP/2 connection for a while; others do", async () => {
  const door = await doorWith({ bounds: { ...DEFAULT_BOUNDS, resetsPerSecond: 20 } });
  const flood = () =>
    new Promise((resolve) => {
      const frames = Array.from({ length: 60 }, (_, i) => [
        requestFrames(2 * i + 1, { ":path": "/livez" }, true),
        cancelFrame(2 * i + 1),
      ]);
      const socket = connect(door.port, "127.0.0.1", () => socket.write(Buffer.concat([preface(), ...frames.flat()])));
      socket.resume().on("error", () => {});
      socket.once("close", resolve);
    });
  for (let i = 0; i < 20; i++) await flood();
  const opens = async (address: string) => {
    const session = sessionOf(door, address);
    return new Promise((resolve) => {
      session.once("remoteSettings", () => resolve(true)).once("close", () => resolve(false));
    });
  };
  expect([await opens("127.0.0.1"), await opens("127.0.0.2")]).toEqual([false, true]);
  expect(await freshGet(door, "/livez")).toBe("200");
});

describe("streams of prices on one HTTP/2 connection", () => {
  const message = toBinary(WatchPriceRequestSchema, create(WatchPriceRequestSchema, REQUEST));

  test("are refused at once beyond 100, with what to do, and other calls go on", async () => {
    const door = await doorWith();
    const session = sessionOf(door);
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    expect(session.remoteSettings.maxConcurrentStreams).toBe(256);
    const streams = Array.from({ length: 130 }, () => openGrpcStream(session, WATCH, { key: KEY, message }));
    await expect.poll(() => streams.filter(({ seen }) => seen.isOver).length).toBe(30);
    expect(streams.slice(0, 100).every(({ seen }) => !seen.isOver)).toBe(true);
    expect(streams[129]?.seen).toMatchObject({
      status: RESOURCE_EXHAUSTED,
      message:
        "100 streams of a connection are open, the most allowed - open more on another connection, or end one of them first",
    });
    const call = session.request({ ":path": PRICE, "api-key": KEY });
    const status = await new Promise((resolve) => call.once("response", (headers) => resolve(headers[":status"])));
    expect(status).toBe(200);
    call.resume();
    const rest = session.request({ ":path": PRICE.replace("/price?", "/price/stream?"), "api-key": KEY });
    rest.resume();
    const refused = await new Promise((resolve) => rest.once("response", (headers) => resolve(headers[":status"])));
    expect(refused).toBe(429);
  });

  test("are as many as the operator says", async () => {
    const streams = { ...DEFAULT_BOUNDS.streams, perConnection: 2 };
    const { connections } = DEFAULT_SERVER_CONFIG;
    const door = await doorWith({
      bounds: { ...DEFAULT_BOUNDS, streams },
      connections: { ...connections, maxStreams: 7, maxHeaderFields: 20 },
    });
    const session = sessionOf(door);
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    expect(session.remoteSettings.maxConcurrentStreams).toBe(7);
    const opened = Array.from({ length: 3 }, () => openGrpcStream(session, WATCH, { key: KEY, message }));
    await expect.poll(() => opened.map(({ seen }) => seen.isOver)).toEqual([false, false, true]);
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "1"]));
    const answered = (count: number) =>
      new Promise((resolve) => {
        const stream = session.request({ ":path": PRICE, "api-key": KEY, ...fields(count) });
        stream.on("error", () => {}).once("response", (headers) => resolve(headers[":status"]));
        stream.resume().once("close", () => resolve("refused"));
      });
    expect([await answered(10), await answered(30)]).toEqual([200, "refused"]);
  });

  test("leave room for as many header fields as proxies add", async () => {
    const session = sessionOf(await doorWith());
    const fields = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`x-${i}`, "1"]));
    const stream = session.request({ ":path": PRICE, "api-key": KEY, ...fields });
    stream.on("error", () => {});
    const status = await new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
    expect(status).toBe(200);
  });
});
