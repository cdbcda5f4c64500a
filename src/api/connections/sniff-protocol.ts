import type { Server, Socket } from "node:net";

/** First bytes of the HTTP/2 connection preface. No HTTP/1 method begins with them. */
const PREFACE = "PRI";

/**
 * Tells HTTP/2 from HTTP/1.1 by the first bytes of each new connection, and hands the socket on with nothing lost.
 * Connections that say nothing for `timeoutMs` are closed.
 */
export function sniffProtocol(
  server: Server,
  timeoutMs: number,
  decided: (socket: Socket, protocol: "http1" | "http2") => void,
): { stop(): void } {
  const undecided = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    undecided.add(socket);
    socket.setNoDelay(true);
    // Kept aside until the decision: putting bytes back and waiting for more would spin.
    let head = Buffer.alloc(0);
    const drop = () => socket.destroy();
    const timer = setTimeout(drop, timeoutMs);
    const forget = () => {
      clearTimeout(timer);
      undecided.delete(socket);
    };
    const onReadable = () => {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      head = Buffer.concat([head, chunk]);
      const start = head.toString("latin1", 0, PREFACE.length);
      const maybeHttp2 = PREFACE.startsWith(start);
      if (maybeHttp2 && start.length < PREFACE.length) return;
      forget();
      socket.off("readable", onReadable).off("error", drop).off("end", drop).off("close", forget);
      socket.unshift(head);
      decided(socket, maybeHttp2 ? "http2" : "http1");
    };
    socket.on("readable", onReadable).on("error", drop).on("end", drop).once("close", forget);
  });
  return {
    stop() {
      for (const socket of undecided) socket.destroy();
    },
  };
}
