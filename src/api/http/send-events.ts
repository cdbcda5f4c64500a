import { once } from "node:events";
import type { Writable } from "node:stream";
import { SwapError } from "../../domain/errors/swap-error.ts";
import type { Exchange } from "../calls/call.ts";
import { restErrorBody } from "../errors/rest-error.ts";
import { EVENT_STREAM, errorEventOf } from "../rest/server-sent-events.ts";
import type { Request, Response } from "./messages.ts";

/** Messages, and how each is written. */
interface Events<T> {
  readonly messages: AsyncGenerator<T, void, undefined>;
  readonly eventOf: (message: T) => Uint8Array;
}

/**
 * Sends messages as server-sent events, each when its reader has room for it. Why they end stands in a last event.
 * @throws SwapError when there is not even a first message: nothing has been sent then
 */
export async function sendEvents<T>(
  request: Request,
  response: Response,
  { requestId }: Pick<Exchange, "requestId">,
  { messages, eventOf }: Events<T>,
): Promise<void> {
  let next = await messages.next();
  response.statusCode = 200;
  response.setHeader("content-type", EVENT_STREAM);
  // Proxies that gather answers would hold the events back.
  response.setHeader("x-accel-buffering", "no");
  if (!("stream" in response)) response.shouldKeepAlive = false;
  const out: Writable = response;
  try {
    while (next.done !== true && request.method !== "HEAD" && !isGone(response)) {
      if (!out.write(eventOf(next.value))) await roomIn(response);
      next = await messages.next();
    }
  } catch (thrown) {
    if (!(thrown instanceof SwapError)) throw thrown;
    if (!isGone(response)) out.write(errorEventOf(restErrorBody(thrown, requestId)));
  } finally {
    await messages.return();
  }
  response.end();
}

function isGone(response: Response): boolean {
  return response.destroyed || response.closed;
}

/** Waits until what was written has gone out, or nobody takes it any more. */
async function roomIn(response: Response): Promise<void> {
  if (isGone(response)) return;
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(() => {});
  stop.abort();
}
