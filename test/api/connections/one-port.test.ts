import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SERVER_CONFIG } from "../../../src/api/server.ts";
import { type Door, openDoor, rawExchange } from "../../support/door/http.ts";

const limits = DEFAULT_SERVER_CONFIG.connections;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

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
