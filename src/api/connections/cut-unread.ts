import type { Response } from "../http/messages.ts";

/** Time that written parts of an answer may wait for their reader, and interval of checks. Milliseconds. */
export interface UnreadLimits {
  readonly mostMs: number;
  readonly everyMs: number;
}

/** Unread parts of one answer. */
interface Waiting {
  readonly bytes: number;
  readonly since: number;
}

/**
 * Cuts answers that their readers do not take. What waits for a reader takes memory, and neither protocol knows an end to it:
 * one that grants no window, or has stopped to read its socket, could keep as many answers here as it has requests.
 */
export function cutUnread({ mostMs, everyMs }: UnreadLimits): { watch(response: Response): void; stop(): void } {
  const answering = new Map<Response, Waiting | undefined>();

  function look(response: Response, before: Waiting | undefined, now: number): void {
    const bytes = response.writableLength;
    if (bytes === 0) return void answering.set(response, undefined);
    if (before === undefined || bytes !== before.bytes) return void answering.set(response, { bytes, since: now });
    if (now - before.since >= mostMs) response.destroy();
  }

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [response, before] of answering) look(response, before, now);
  }, everyMs);
  timer.unref();
  return {
    watch(response) {
      answering.set(response, undefined);
      response.once("close", () => answering.delete(response));
    },
    stop: () => clearInterval(timer),
  };
}
