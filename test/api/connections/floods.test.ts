import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { cancelFrame, grantFrame, preface, requestFrames } from "../../../fixtures/door/http2-frames.ts";
import { DEFAULT_BOUNDS, type ServerBounds } from "../../../src/api/limits/bounds.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE, RPC } from "../../support/door/price-call.ts";

// Much of what a parser reads is no request. None of it may go on for as long as a caller likes.

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function doorWith(bounds: Partial<ServerBounds> = {}): Promise<Door> {
  const door = await openDoor({ bounds: { ...DEFAULT_BOUNDS, ...bounds } });
  ends.push(() => door.server.drain(200));
  return door;
}

/** Writes a start, and then the same bytes as long as they are taken. @returns bytes written when it was cut */
function pour(door: Door, localAddress: string, start: Buffer, again: Buffer): Promise<number> {
  const chunk = Buffer.concat(Array.from({ length: Math.ceil(60_000 / again.length) }, () => again));
  return new Promise((resolve) => {
    const socket: Socket = connect({ port: door.port, host: "127.0.0.1", localAddress }, () => {
      socket.write(start);
      const more = () => {
        if (socket.writable) socket.write(chunk, () => setImmediate(more));
      };
      more();
    });
    ends.push(() => void socket.destroy());
    socket.resume().on("error", () => {});
    socket.once("close", () => resolve(socket.bytesWritten));
  });
}

const post = Buffer.from(
  `POST ${RPC} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
);

describe("bytes that are no request", () => {
  test.each([
    ["window updates", preface(), grantFrame(0, 1)],
    ["blank lines", Buffer.alloc(0), Buffer.from("\r\n")],
    ["chunks of one byte", post, Buffer.from("1\r\nx\r\n")],
  ])("end their connection: %s", async (_, start, again) => {
    const door = await doorWith();
    await pour(door, "127.0.0.2", start, again);
    // Others go on, and so does a key: it is bounded by itself.
    expect((await door.get(PRICE)).status).toBe(200);
  });

  test("close the door to their address for a while, but not to others, nor where a key is known", async () => {
    const bytes = { ...DEFAULT_BOUNDS.bytes, keylessPerSecondAndAddress: 1_000 };
    const door = await doorWith({ bytes });
    await pour(door, "127.0.0.2", Buffer.alloc(0), Buffer.from("\r\n"));
    const isOpenTo = (localAddress: string) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ port: door.port, host: "127.0.0.1", localAddress }, () =>
          socket.write(`GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        );
        socket.once("data", () => resolve(true)).on("error", () => {});
        socket.once("close", () => resolve(false));
      });
    expect([await isOpenTo("127.0.0.2"), await isOpenTo("127.0.0.3")]).toEqual([false, true]);
    expect((await door.get(PRICE)).status).toBe(200);
    await pour(door, "127.0.0.1", Buffer.alloc(0), Buffer.from("\r\n"));
    expect(await isOpenTo("127.0.0.1")).toBe(true);
  });

  test("of a key have a rate of their own, over all its connections", async () => {
    const bytes = { ...DEFAULT_BOUNDS.bytes, perSecondAndKey: 2_000 };
    const door = await doorWith({ bytes });
    const get = Buffer.from(`GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\n`);
    expect(await pour(door, "127.0.0.2", get, get)).toBeGreaterThan(4_000);
  });

  test("of all strangers together have one: those that send most go", async () => {
    const bytes = { ...DEFAULT_BOUNDS.bytes, keylessPerSecondAndAddress: 0, keylessPerSecond: 50_000 };
    const door = await doorWith({ bytes });
    let isModestCut = false;
    const modest = connect({ port: door.port, host: "127.0.0.1", localAddress: "127.0.0.9" }, () =>
      modest.write("\r\n"),
    );
    modest
      .on("error", () => {})
      .once("close", () => {
        isModestCut = true;
      });
    const trickle = setInterval(() => modest.write("\r\n"), 20);
    ends.push(() => {
      clearInterval(trickle);
      modest.destroy();
    });
    await Promise.all(["127.0.0.2", "127.0.0.3"].map((address) => pour(door, address, preface(), grantFrame(0, 1))));
    expect(isModestCut).toBe(false);
  });
});

describe("a connection without a key", () => {
  /** Opens `count` streams and resets them at once; resolves when the door has closed the connection. */
  async function resetsOn(door: Door, count: number, localAddress: string): Promise<void> {
    const frames = Array.from({ length: count }, (_, i) => [
      requestFrames(2 * i + 1, { ":path": "/livez" }, true),
      cancelFrame(2 * i + 1),
    ]);
    const socket = connect({ port: door.port, host: "127.0.0.1", localAddress }, () => {
      socket.write(Buffer.concat([preface(), ...frames.flat()]));
    });
    ends.push(() => void socket.destroy());
    socket.resume().on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
  }

  test("may reset a tenth of what its address may", async () => {
    const door = await doorWith();
    // Fewer than RESETS_PER_SECOND, for which a client with a key that hedges is not cut.
    await resetsOn(door, 60, "127.0.0.2");
    expect(door.server.sessionCount()).toBe(0);
    expect((await door.get(PRICE)).status).toBe(200);
  });

  test("that goes on after it was refused is cut, and its address speaks no HTTP/2 for a while", async () => {
    const door = await doorWith({ keylessPerSecondAndAddress: 1 });
    const frames = Array.from({ length: 60 }, (_, i) => requestFrames(2 * i + 1, { ":path": "/status" }, true));
    const flood = () =>
      new Promise((resolve) => {
        const socket = connect({ port: door.port, host: "127.0.0.1", localAddress: "127.0.0.2" }, () => {
          socket.write(Buffer.concat([preface(), ...frames]));
        });
        ends.push(() => void socket.destroy());
        let text = Buffer.alloc(0);
        socket.on("data", (chunk) => {
          text = Buffer.concat([text, chunk]);
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve(text.length));
      });
    expect(await flood()).toBeGreaterThan(0);
    expect(await flood()).toBe(0);
  });
});

describe("probes", () => {
  test("of many addresses share a rate, and each has a few of its own beside it", async () => {
    const door = await doorWith({ keylessPerSecond: 1 });
    const probes = async (localAddress: string, count: number) => {
      const get = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
      const isDone = (text: string) => (text.match(/HTTP\/1\.1 /g) ?? []).length === count || text.includes(" 429 ");
      return (await rawExchange(door.port, get.repeat(count), isDone, localAddress)).match(/ 200 OK/g)?.length ?? 0;
    };
    const answered = await probes("127.0.0.2", 100);
    expect(answered).toBeGreaterThanOrEqual(20);
    expect(answered).toBeLessThan(60);
    expect(await probes("127.0.0.3", 10)).toBe(10);
  });
});
