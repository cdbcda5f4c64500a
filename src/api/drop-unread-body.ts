import type { IncomingMessage } from "node:http";
import type { Request, Response } from "./listener.ts";

/** Bytes of a body that are let through after the answer, and milliseconds for which they are waited for. */
const REST = { mostBytes: 65_536, mostMs: 500 };

/** Milliseconds between two looks at what has come. */
const LOOK_EVERY_MS = 10;

/**
 * Once the answer is out, a body that nobody will read must not keep its connection or its HTTP/2 stream alive. The rest
 * of a small body is let through, so that the connection of a caller that was refused can be used again.
 */
export function dropUnreadBody(request: Request, response: Response): void {
  if ("stream" in request) {
    const { stream } = request;
    stream.once("finish", () => {
      if (!stream.readableEnded) stream.close();
    });
  } else {
    response.once("finish", () => {
      if (!request.complete) awaitRest(request);
    });
  }
}

/** Node takes what comes and throws it away; this ends it. */
function awaitRest(request: IncomingMessage): void {
  const { socket } = request;
  const [start, from] = [performance.now(), socket.bytesRead];
  const look = setInterval(() => {
    const isTooMuch = socket.bytesRead - from > REST.mostBytes || performance.now() - start > REST.mostMs;
    if (!request.complete && !isTooMuch && !socket.destroyed) return;
    clearInterval(look);
    if (!request.complete) socket.destroySoon();
  }, LOOK_EVERY_MS);
}
