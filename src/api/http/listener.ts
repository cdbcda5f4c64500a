import http1 from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { cutUnread, type UnreadLimits } from "./cut-unread.ts";
import { type Malformed, malformedAnswer, refuseMalformed } from "./malformed.ts";
import { negotiateProtocol } from "./negotiate-protocol.ts";
import { originForm } from "./origin-form.ts";
import { sniffProtocol } from "./sniff-protocol.ts";
import { sweepSessions } from "./sweep-sessions.ts";

export type Request = http1.IncomingMessage | http2.Http2ServerRequest;
export type Response = http1.ServerResponse | http2.Http2ServerResponse;

/** Bytes that each header counts beside its name and its value. */
const HEADER_OVERHEAD = 32;

/** What connections may cost. Times in milliseconds. */
export interface ConnectionLimits {
  /** For the first bytes, and for all headers. */
  readonly headersTimeoutMs: number;
  /** For a whole HTTP/1.1 request. */
  readonly requestTimeoutMs: number;
  /** Without a request, for connections of either protocol. */
  readonly keepAliveTimeoutMs: number;
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly unread: UnreadLimits;
  /** How often HTTP/2 sessions are looked after, and how long a ping or a close may take. */
  readonly sweep: { readonly everyMs: number; readonly pingTimeoutMs: number; readonly closeGraceMs: number };
}

/** A certificate with what it needs, as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** One port for HTTP/1.1 and HTTP/2: told apart by ALPN with TLS, and by the first bytes without (prior knowledge). */
export interface Listener {
  listen(port: number, host: string): Promise<void>;
  port(): number;
  /** HTTP/2 sessions that are open now. */
  sessionCount(): number;
  /** Stops accepting, closes what is idle, lets the rest finish, and cuts what is left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

/** `malformed` is told what was answered without a request. */
export function createListener(
  handler: (request: Request, response: Response) => void,
  malformed: (answer: Malformed) => void,
  limits: ConnectionLimits,
  tls?: TlsFiles,
): Listener {
  let draining = false;
  const answering = new Set<http1.ServerResponse>();
  const unread = cutUnread(limits.unread);
  const options: http1.ServerOptions = {
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: limits.maxHeaderBytes,
    // Refused by the handler, like everything else that is wrong.
    requireHostHeader: false,
  };
  const onRequest: http1.RequestListener = (request, response) => {
    unread.watch(response);
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (draining) response.shouldKeepAlive = false;
    request.url = originForm(request.url ?? "");
    handler(request, response);
  };
  const h1 =
    tls === undefined
      ? http1.createServer(options, onRequest)
      : https.createServer(
          { ...options, ...tls, ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: limits.headersTimeoutMs },
          onRequest,
        );
  h1.maxConnections = limits.maxConnections;
  h1.on("clientError", (error, socket) => {
    const isAnswering = answering.values().some((response) => response.socket === socket);
    refuseMalformed(error, socket, isAnswering, malformed);
  });
  // Node would refuse what a request expects beside 100-continue; it is passed over instead.
  h1.on("checkExpectation", onRequest);
  // No proxy: Node would close the connection without a word.
  h1.on("connect", (_, socket) => refuseMalformed(new Error("CONNECT"), socket, false, malformed));
  const onHttp2 = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => {
    unread.watch(response);
    // Announced in the settings, and left to us to hold.
    if (headerBytes(request) <= limits.maxHeaderBytes) return handler(request, response);
    const { stream } = response;
    // Its peer may have reset the stream by now: there is nobody to answer, and answering would throw.
    if (stream.closed || stream.destroyed) return;
    const answer = malformedAnswer("HEADERS_TOO_LARGE");
    const { status, headers, body } = answer;
    malformed(answer);
    stream.respond({ ":status": status, ...headers });
    stream.end(body);
  };
  const h2 = http2.createServer(
    {
      settings: { maxConcurrentStreams: 100, enablePush: false, maxHeaderListSize: limits.maxHeaderBytes },
      maxHeaderListPairs: 64,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      streamResetBurst: 200,
      streamResetRate: 20,
    },
    onHttp2,
  );
  h2.on("connect", onHttp2);
  // A peer's protocol error is the peer's, and must not reach the process.
  h2.on("sessionError", () => {});
  const socketOf = new WeakMap<http2.ServerHttp2Session, Socket>();
  // A session that was closed before it is destroyed waits for its peer to hang up, which an attacker's never does.
  const cutSession = (session: http2.ServerHttp2Session) => {
    session.destroy();
    socketOf.get(session)?.destroy();
  };
  const sessions = sweepSessions(h2, { ...limits.sweep, idleMs: limits.keepAliveTimeoutMs }, cutSession);
  // The HTTP/1.1 server is the one that listens, or its timeouts and closeIdleConnections() would not work.
  const opened = tls === undefined ? "connection" : "secureConnection";
  const asHttp1 = h1.listeners(opened)[0] as (this: http1.Server, socket: Socket) => void;
  h1.removeAllListeners(opened);
  const tellApart = tls === undefined ? sniffProtocol : negotiateProtocol;
  const undecided = tellApart(h1, limits.headersTimeoutMs, (socket, protocol) => {
    if (protocol === "http1") return asHttp1.call(h1, socket);
    // Sockets of an HTTP/1.1 server may be half open; an HTTP/2 session would keep them so for good.
    socket.allowHalfOpen = false;
    const remember = (session: http2.ServerHttp2Session) => socketOf.set(session, socket);
    h2.on("session", remember);
    h2.emit("connection", socket);
    h2.off("session", remember);
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        h1.once("error", reject);
        h1.listen({ port, host, backlog: 1024 }, () => {
          h1.off("error", reject);
          h1.on("error", () => {});
          resolve();
        });
      }),
    port: () => (h1.address() as AddressInfo).port,
    sessionCount: () => sessions.open().length,
    async drain(timeoutMs) {
      draining = true;
      const closed = new Promise<void>((resolve) => h1.close(() => resolve()));
      undecided.stop();
      for (const response of answering) response.shouldKeepAlive = false;
      for (const session of sessions.open()) session.close();
      const cut = setTimeout(() => {
        h1.closeAllConnections();
        for (const session of sessions.open()) cutSession(session);
      }, timeoutMs);
      await closed;
      clearTimeout(cut);
      for (const session of sessions.open()) cutSession(session);
      sessions.stop();
      unread.stop();
    },
  };
}

/** Size of a request's headers as HTTP/2 counts it (RFC 9113, section 6.5.2). */
function headerBytes({ rawHeaders }: http2.Http2ServerRequest): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + HEADER_OVERHEAD / 2, 0);
}
