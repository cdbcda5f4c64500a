import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import http2 from "node:http2";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

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
