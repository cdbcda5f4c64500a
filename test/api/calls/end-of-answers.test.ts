import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bodyFrame, framesOf, grantFrame, preface, requestFrames } from "../../../fixtures/door/http2-frames.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { RPC } from "../../support/door/price-call.ts";

const REFUSED = { ":method": "POST", ":path": RPC, "content-type": "application/json", "api-key": "wrong" };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** The frames that answer a request, to the last one that is expected. */
function answerTo(sent: Buffer, last: string): Promise<readonly string[]> {
  const socket = connect(door.port, "127.0.0.1", () => socket.write(sent));
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const frames = framesOf(1, received);
      // The window opens when the answer waits for it.
      if (frames.length === 2) socket.write(grantFrame(1, 65_535));
      if (frames.at(-1) === last || frames.includes("RST_STREAM")) {
        resolve(frames);
        socket.destroy();
      }
    });
  });
}

// Node's own client takes a reset for an end; curl, Go and proxies take it for a broken answer.
test.each([
  ["an answer", { ":path": "/swap/v1/sources", "api-key": KEY }],
  ["a page", { ":path": "/livez" }],
  ["a refusal", { ":path": "/nowhere" }],
])("%s over HTTP/2 ends by END_STREAM, and by nothing else", async (_, headers) => {
  const frames = await answerTo(Buffer.concat([preface(), requestFrames(1, headers, true)]), "DATA END_STREAM");
  expect(frames).not.toContain("RST_STREAM");
  expect(frames.at(-1)).toBe("DATA END_STREAM");
});

test.each([65_535, 10])("a body that goes on is reset after END_STREAM, with a window of %i bytes", async (window) => {
  const frames = await answerTo(Buffer.concat([preface(window), requestFrames(1, REFUSED, false)]), "RST_STREAM");
  expect(frames.slice(-2)).toEqual(["DATA END_STREAM", "RST_STREAM"]);
});

test("the rest of a small body is let through, and its stream not reset", async () => {
  const sent = Buffer.concat([preface(), requestFrames(1, REFUSED, false)]);
  const socket = connect(door.port, "127.0.0.1", () => socket.write(sent));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await expect.poll(() => framesOf(1, Buffer.concat(chunks))).toContain("DATA END_STREAM");
  socket.write(bodyFrame(1, "{}"));
  await wait(50);
  socket.destroy();
  expect(framesOf(1, Buffer.concat(chunks))).toEqual(["HEADERS", "DATA", "DATA END_STREAM"]);
});
