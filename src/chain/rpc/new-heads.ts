import { WebSocket } from "ws";
import type { Logger } from "../../ops/logger.ts";

/** Wakes listeners when a node announces a head over WebSocket (`newHeads`). What it announces is not read. */
export interface HeadHints {
  listen(listener: () => void): () => void;
  close(): void;
}

const PING_EVERY_MS = 10_000;
const FIRST_RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 15_000;

/** Without `wsUrl` there are no hints. A socket that stops answering pings is dropped and made anew, for ever. */
export function createHeadHints(options: { readonly wsUrl: string | undefined; readonly logger: Logger }): HeadHints {
  const listeners = new Set<() => void>();
  let socket: WebSocket | undefined;
  let pinger: NodeJS.Timeout | undefined;
  let reconnect: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  function connect(url: string) {
    let answered = true;
    const current = new WebSocket(url, { maxPayload: 1024 * 1024, handshakeTimeout: 10_000, followRedirects: false });
    socket = current;
    current.on("open", () => {
      current.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
      pinger = setInterval(() => {
        if (!answered) return current.terminate();
        answered = false;
        current.ping();
      }, PING_EVERY_MS);
    });
    current.on("message", () => {
      answered = true;
      failures = 0;
      for (const listener of listeners) listener();
    });
    current.on("pong", () => {
      answered = true;
    });
    current.on("error", () => current.terminate());
    current.on("close", () => {
      clearInterval(pinger);
      if (closed) return;
      const delayMs = Math.min(FIRST_RECONNECT_MS * 2 ** failures, MAX_RECONNECT_MS);
      failures = Math.min(failures + 1, 10);
      options.logger.debug({ delayMs }, "head subscription lost, polling goes on");
      reconnect = setTimeout(() => connect(url), delayMs);
    });
  }

  if (options.wsUrl !== undefined) connect(options.wsUrl);

  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearInterval(pinger);
      clearTimeout(reconnect);
      socket?.terminate();
      listeners.clear();
    },
  };
}
