import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Request, Response } from "./messages.ts";

/** Bytes of a body that are let through after the answer, and milliseconds for which they are waited for. */
const REST = { mostBytes: 65_536, mostMs: 500 };

/** Milliseconds between two looks at what has come. */
const LOOK_EVERY_MS = 10;

/**
 * Once the answer is out, a body that nobody will read must not keep its connection or its HTTP/2 stream alive. The rest
 * of a small body is let through, so that the connection of a caller that was refused can be used again. Where there may
 * be more, the answer says that its connection ends.
 */
export function dropUnreadBody(request: Request, response: Response): void {
  if ("stream" in request) {
    const { stream } = request;
    if (stream.endAfterHeaders) stream.resume();
    else
      stream.once("finish", () => {
        if (!stream.readableEnded) awaitRest(request, () => closeAfterEnd(stream));
      });
  } else {
    if (mayBeLarge(request)) closeAfterLargeBody(request, response as ServerResponse);
    response.once("finish", () => {
      if (request.complete) return;
      awaitRest(request, () => {
        if (!request.complete) request.socket.destroySoon();
      });
    });
  }
}

/**
 * Asks by RST_STREAM for no more of the body, once END_STREAM has gone out: "finish" comes earlier, and a reset in the place
 * of the answer's end tells the caller that the answer is not whole (RFC 9113, section 8.1).
 */
function closeAfterEnd(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  const start = performance.now();
  const look = setInterval(() => {
    const endIsOut = stream.closed || stream.state.localClose === 1;
    if (!endIsOut && performance.now() - start <= REST.mostMs) return;
    clearInterval(look);
    // A stream that is closed stays, and its session with it, while there is something to read.
    stream.destroy();
  }, LOOK_EVERY_MS);
}

/**
 * An answer before the end of a body that may be large goes out with `Connection: close`. Node would cut the connection
 * off with the answer's last byte, and what the caller still writes would then take the answer away from it: so the end
 * of our side goes out alone, and the caller has as long as for a small body to read what it was told.
 */
function closeAfterLargeBody(request: IncomingMessage, response: ServerResponse): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead(...head: Parameters<ServerResponse["writeHead"]>) {
      if (!request.complete) {
        response.setHeader("connection", "close");
        const { socket } = request;
        const { destroySoon } = socket;
        socket.destroySoon = () => {
          socket.destroySoon = destroySoon;
          socket.end();
          awaitRest(request, () => socket.destroySoon());
        };
      }
      return writeHead.apply(response, head);
    },
  });
}

/** Whether the body may be large: a chunked one may. */
function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > REST.mostBytes;
}

/** Throws away what comes until the body is over, or has been waited for; of what is too much the rest is not read. */
function awaitRest(request: Request, over: () => void): void {
  const { socket } = request;
  const [start, from] = [performance.now(), socket.bytesRead];
  request.resume();
  const look = setInterval(() => {
    if (socket.bytesRead - from > REST.mostBytes) request.pause();
    if (!request.complete && !socket.destroyed && performance.now() - start <= REST.mostMs) return;
    clearInterval(look);
    over();
  }, LOOK_EVERY_MS);
}
