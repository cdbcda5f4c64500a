import { once } from "node:events";
import http2 from "node:http2";
import { connect } from "node:net";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { DEFAULT_SERVER_CONFIG } from "../../../src/api/server.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { GRPC, PRICE, REQUEST } from "../../support/door/price-call.ts";

const limits = DEFAULT_SERVER_CONFIG.connections;
/** Longer than any test: what ends a session sooner is something else. */
const NEVER_MS = 2 ** 30;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

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
    await expect.poll(() => swept.server.sessionCount()).toBe(0);
    await swept.server.drain(100);
  });

  test("whose peer has said goodbye do not wait for ever", async () => {
    const swept = await openDoor({
      connections: { ...limits, sweep: { everyMs: 50, pingTimeoutMs: NEVER_MS, closeGraceMs: 100 } },
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
    await expect.poll(() => swept.server.sessionCount()).toBe(0);
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
    await expect.poll(() => door.server.sessionCount()).toBe(0);
  });

  test("that nobody uses are closed, though their peers answer pings", async () => {
    const swept = await openDoor({
      connections: {
        ...limits,
        keepAliveTimeoutMs: 300,
        sweep: { everyMs: 50, pingTimeoutMs: NEVER_MS, closeGraceMs: NEVER_MS },
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
        sweep: { everyMs: 30, pingTimeoutMs: NEVER_MS, closeGraceMs: NEVER_MS },
      },
    });
    const client = createClient(SwapService, createGrpcTransport({ baseUrl: swept.origin }));
    for (let turn = 0; turn < 3; turn++) {
      const answer = await client.getPrice(REQUEST, { headers: { "api-key": KEY } });
      expect(answer.sellAmount).toBe("1000");
      await expect.poll(() => swept.server.sessionCount()).toBe(0);
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
