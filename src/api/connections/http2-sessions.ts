import http2 from "node:http2";
import type { Socket } from "node:net";
import { type Malformed, malformedAnswer } from "../http/malformed.ts";
import type { Connection, Ends } from "./connection.ts";
import { sweepSessions } from "./sweep-sessions.ts";

/** Bytes that each header counts beside its name and its value. */
const HEADER_OVERHEAD = 32;

/** Resets in a second where there is no bound. */
const UNBOUNDED = 2 ** 31 - 1;

/** What HTTP/2 sessions and their streams may cost. Times in milliseconds. */
export interface SessionLimits {
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Header fields of a request, and streams that one connection may have at a time. */
  readonly maxHeaderFields: number;
  readonly maxStreams: number;
  /** How often sessions are looked after, and how long a ping or a close may take. */
  readonly sweep: { readonly everyMs: number; readonly pingTimeoutMs: number; readonly closeGraceMs: number };
}

/** HTTP/2 on connections that have a place. */
export interface Http2Sessions {
  /** Speaks HTTP/2 on a socket from now on. */
  accept(socket: Socket, connection: Connection): void;
  open(): readonly http2.ServerHttp2Session[];
  /** Lets every session finish what is under way. */
  close(): void;
  cutAll(): void;
  stop(): void;
}

/** What becomes of streams. */
interface StreamHandlers {
  answer(request: http2.Http2ServerRequest, response: http2.Http2ServerResponse, connection: Connection): void;
  /** Is told of a stream that was taken back before it was looked at. */
  onReset(connection: Connection): void;
  malformed(answer: Malformed): void;
}

/** @param resetsPerSecond that one connection may have in any case; 0: as many as it likes */
export function createHttp2Sessions(
  limits: SessionLimits,
  resetsPerSecond: number,
  { answer, onReset, malformed }: StreamHandlers,
): Http2Sessions {
  /** By its session and each stream of it: one that is reset forgets its session. */
  const connectionOf = new WeakMap<object, Connection>();
  const socketOf = new WeakMap<http2.ServerHttp2Session, Socket>();
  const server = createHttp2Server(limits, resetsPerSecond || UNBOUNDED, (request, response) => {
    const connection = connectionOf.get(response.stream);
    if (connection === undefined) response.destroy();
    else answer(request, response, connection);
  });
  filterStreams(server, (stream, rawHeaders) => {
    const connection = connectionOf.get(stream);
    // What its peer did to it must not reach the process.
    stream.on("error", () => {});
    // Taken back before it was looked at, maybe with all others of its connection.
    if (connection !== undefined && (stream.destroyed || stream.closed)) {
      stream.destroy();
      onReset(connection);
      return false;
    }
    // Announced in the settings, and left to us to hold.
    if (headerBytes(rawHeaders) <= limits.maxHeaderBytes) return true;
    malformed(refuseHeaders(stream));
    return false;
  });
  // A session that was closed before it is destroyed waits for its peer to hang up, which an attacker's never does.
  const cut = (session: http2.ServerHttp2Session) => {
    session.destroy();
    socketOf.get(session)?.destroy();
  };
  const isIdle = (session: http2.ServerHttp2Session) => {
    const connection = connectionOf.get(session);
    return connection === undefined || connection.idleMs(performance.now()) >= limits.keepAliveTimeoutMs;
  };
  const sessions = sweepSessions(server, limits.sweep, cut, isIdle);
  return {
    accept(socket, connection) {
      // Sockets of an HTTP/1.1 server may be half open; an HTTP/2 session would keep them so for good.
      socket.allowHalfOpen = false;
      const remember = (session: http2.ServerHttp2Session) => {
        socketOf.set(session, socket);
        connectionOf.set(session, connection);
        session.prependListener("stream", (stream) => connectionOf.set(stream, connection));
        connection.endBy(endsOf(session, cut));
      };
      server.on("session", remember);
      server.emit("connection", socket);
      server.off("session", remember);
    },
    open: sessions.open,
    close: () => endAll(sessions.open(), (session) => session.close()),
    cutAll: () => endAll(sessions.open(), cut),
    stop: sessions.stop,
  };
}

function endAll(sessions: readonly http2.ServerHttp2Session[], end: (session: http2.ServerHttp2Session) => void): void {
  for (const session of sessions) end(session);
}

function endsOf(session: http2.ServerHttp2Session, cut: (session: http2.ServerHttp2Session) => void): Ends {
  return {
    cut() {
      // Destroying it with that code would make an error, with where it was made, for each of its streams.
      if (!session.destroyed) session.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      cut(session);
    },
    finish: () => session.close(),
  };
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
