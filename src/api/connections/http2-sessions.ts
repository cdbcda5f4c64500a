import http2 from "node:http2";
import type { Socket } from "node:net";
import { type Malformed, malformedAnswer } from "../http/malformed.ts";
import type { Connection, Ends } from "./connection.ts";
import { sweepSessions } from "./sweep-sessions.ts";

/** Bytes that each header counts beside its name and its value. */
const HEADER_OVERHEAD = 32;

/** Resets in a second where there is no bound. */
const UNBOUNDED = 2 ** 31 - 1;

/** Limits of HTTP/2 sessions and their streams. Times in milliseconds. */
export interface SessionLimits {
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Header fields of a request, and streams that one connection may have at a time. */
  readonly maxHeaderFields: number;
  readonly maxStreams: number;
  /** Interval of session checks, and time that a ping or a close may take. */
  readonly sweep: { readonly everyMs: number; readonly pingTimeoutMs: number; readonly closeGraceMs: number };
}

/** Handlers of streams. */
interface StreamHandlers {
  answer(request: http2.Http2ServerRequest, response: http2.Http2ServerResponse, connection: Connection): void;
  /** Is told of a stream that was taken back before it was looked at. */
  onReset(connection: Connection): void;
  malformed(answer: Malformed): void;
}

/** HTTP/2 on connections that have a place. */
export class Http2Sessions {
  readonly #server: http2.Http2Server;
  readonly #limits: SessionLimits;
  readonly #handlers: StreamHandlers;
  /** By its session and each stream of it: one that is reset forgets its session. */
  readonly #connectionOf = new WeakMap<object, Connection>();
  readonly #socketOf = new WeakMap<http2.ServerHttp2Session, Socket>();
  readonly #swept: ReturnType<typeof sweepSessions>;

  /** @param resetsPerSecond that one connection may have in any case; 0: as many as it likes */
  constructor(limits: SessionLimits, resetsPerSecond: number, handlers: StreamHandlers) {
    this.#limits = limits;
    this.#handlers = handlers;
    this.#server = createHttp2Server(limits, resetsPerSecond || UNBOUNDED, (request, response) => {
      const connection = this.#connectionOf.get(response.stream);
      if (connection === undefined) response.destroy();
      else handlers.answer(request, response, connection);
    });
    filterStreams(this.#server, (stream, rawHeaders) => this.#isLetIn(stream, rawHeaders));
    const isIdle = (session: http2.ServerHttp2Session) => {
      const connection = this.#connectionOf.get(session);
      return connection === undefined || connection.idleMs(performance.now()) >= limits.keepAliveTimeoutMs;
    };
    this.#swept = sweepSessions(this.#server, limits.sweep, (session) => this.#cut(session), isIdle);
  }

  /** Speaks HTTP/2 on a socket from now on. */
  accept(socket: Socket, connection: Connection): void {
    // Sockets of an HTTP/1.1 server may be half open; an HTTP/2 session would keep them so for good.
    socket.allowHalfOpen = false;
    const remember = (session: http2.ServerHttp2Session) => {
      this.#socketOf.set(session, socket);
      this.#connectionOf.set(session, connection);
      session.prependListener("stream", (stream) => this.#connectionOf.set(stream, connection));
      connection.endBy(this.#endsOf(session));
    };
    this.#server.on("session", remember);
    this.#server.emit("connection", socket);
    this.#server.off("session", remember);
  }

  count(): number {
    return this.#swept.open().length;
  }

  /** Lets every session finish what is under way. */
  close(): void {
    for (const session of this.#swept.open()) session.close();
  }

  /** Ends them all, whatever is under way. */
  cutAll(): void {
    for (const session of this.#swept.open()) this.#cut(session);
  }

  stop(): void {
    this.#swept.stop();
  }

  /** Whether a request is made of a stream. */
  #isLetIn(stream: http2.ServerHttp2Stream, rawHeaders: readonly string[]): boolean {
    const connection = this.#connectionOf.get(stream);
    // An error of its peer must not reach the process.
    stream.on("error", () => {});
    // Taken back before it was looked at, maybe with all others of its connection.
    if (connection !== undefined && (stream.destroyed || stream.closed)) {
      stream.destroy();
      this.#handlers.onReset(connection);
      return false;
    }
    // Announced in the settings, and left to us to hold.
    if (headerBytes(rawHeaders) <= this.#limits.maxHeaderBytes) return true;
    this.#handlers.malformed(refuseHeaders(stream));
    return false;
  }

  /** A session that was closed before it is destroyed waits for its peer to hang up, which an attacker's never does. */
  #cut(session: http2.ServerHttp2Session): void {
    session.destroy();
    this.#socketOf.get(session)?.destroy();
  }

  #endsOf(session: http2.ServerHttp2Session): Ends {
    return {
      cut: () => {
        // Destroying it with that code would make an error, with where it was made, for each of its streams.
        if (!session.destroyed) session.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
        this.#cut(session);
      },
      finish: () => session.close(),
    };
  }
}

function createHttp2Server(
  limits: SessionLimits,
  resetsPerSecond: number,
  answer: (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void,
): http2.Http2Server {
  const server = http2.createServer(
    {
      settings: {
        maxConcurrentStreams: limits.maxStreams,
        enablePush: false,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
      maxHeaderListPairs: limits.maxHeaderFields,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      streamResetBurst: resetsPerSecond,
      streamResetRate: resetsPerSecond,
    },
    answer,
  );
  server.on("connect", answer);
  // A peer's protocol error is the peer's, and must not reach the process.
  server.on("sessionError", () => {});
  return server;
}

/** Lets a server make requests of those streams only that `isLetIn` accepts: what is refused costs no more than its headers. */
function filterStreams(
  server: http2.Http2Server,
  isLetIn: (stream: http2.ServerHttp2Stream, rawHeaders: readonly string[]) => boolean,
): void {
  const [makeRequest] = server.listeners("stream");
  server.removeAllListeners("stream");
  server.on(
    "stream",
    (...[stream, headers, flags, rawHeaders]: [http2.ServerHttp2Stream, object, number, string[]]) => {
      if (isLetIn(stream, rawHeaders)) makeRequest?.call(server, stream, headers, flags, rawHeaders);
    },
  );
}

function refuseHeaders(stream: http2.ServerHttp2Stream): Malformed {
  const refusal = malformedAnswer("HEADERS_TOO_LARGE");
  const { status, headers, body } = refusal;
  stream.respond({ ":status": status, ...headers });
  stream.end(body);
  return refusal;
}

/** Size of a request's headers as HTTP/2 counts it (RFC 9113, section 6.5.2). */
function headerBytes(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + HEADER_OVERHEAD / 2, 0);
}
