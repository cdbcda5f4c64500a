import http2 from "node:http2";
import type { Socket } from "node:net";
import type { Connection } from "./connection.ts";
import { sweepSessions } from "./sweep-sessions.ts";

interface SessionLimits {
  readonly keepAliveTimeoutMs: number;
  readonly sweep: { readonly everyMs: number; readonly pingTimeoutMs: number; readonly closeGraceMs: number };
}

/** HTTP/2 sessions, with the sockets and the connections that they run on. */
export class Http2Sessions {
  readonly #server: http2.Http2Server;
  /** By their session and each stream of it: one that is reset forgets its session. */
  readonly #connectionOf = new WeakMap<object, Connection>();
  readonly #socketOf = new WeakMap<http2.ServerHttp2Session, Socket>();
  readonly #swept: ReturnType<typeof sweepSessions>;

  constructor(server: http2.Http2Server, { keepAliveTimeoutMs, sweep }: SessionLimits) {
    this.#server = server;
    const isIdle = (session: http2.ServerHttp2Session) => {
      const connection = this.#connectionOf.get(session);
      return connection === undefined || connection.idleMs(performance.now()) >= keepAliveTimeoutMs;
    };
    this.#swept = sweepSessions(server, sweep, (session) => this.#cut(session), isIdle);
  }

  connectionOf(stream: http2.ServerHttp2Stream): Connection | undefined {
    return this.#connectionOf.get(stream);
  }

  /** Begins a session on a socket. */
  attach(socket: Socket, connection: Connection): void {
    // Sockets of an HTTP/1.1 server may be half open; an HTTP/2 session would keep them so for good.
    socket.allowHalfOpen = false;
    const remember = (session: http2.ServerHttp2Session) => {
      this.#socketOf.set(session, socket);
      this.#connectionOf.set(session, connection);
      session.prependListener("stream", (stream) => this.#connectionOf.set(stream, connection));
      connection.cutBy(() => this.#cut(session, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM));
    };
    this.#server.on("session", remember);
    this.#server.emit("connection", socket);
    this.#server.off("session", remember);
  }

  count(): number {
    return this.#swept.open().length;
  }

  /** Takes no more streams on any of them. */
  close(): void {
    for (const session of this.#swept.open()) session.close();
  }

  /** Ends them all, whatever is in flight. */
  cutAll(): void {
    for (const session of this.#swept.open()) this.#cut(session);
  }

  stop(): void {
    this.#swept.stop();
  }

  /** A session that was closed before it is destroyed waits for its peer to hang up, which an attacker's never does. */
  #cut(session: http2.ServerHttp2Session, code: number = http2.constants.NGHTTP2_NO_ERROR): void {
    session.destroy(undefined, code);
    this.#socketOf.get(session)?.destroy();
  }
}
