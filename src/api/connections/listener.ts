import http1 from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type Malformed, malformedAnswer, refuseMalformed } from "../http/malformed.ts";
import type { Request, Response } from "../http/messages.ts";
import { originForm } from "../http/origin-form.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import type { Ledger } from "../limits/ledger.ts";
import { type Connection, type Connections, createConnections } from "./connections.ts";
import { cutUnread, type UnreadLimits } from "./cut-unread.ts";
import { negotiateProtocol } from "./negotiate-protocol.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { sniffProtocol } from "./sniff-protocol.ts";
import { sweepSessions } from "./sweep-sessions.ts";

/** Bytes that each header counts beside its name and its value. */
const HEADER_OVERHEAD = 32;

/** One request's connection, and the network that its caller sits in: behind a trusted proxy, the proxy's caller's. */
export interface Visit {
  readonly connection: Connection;
  readonly network: string;
  /** Whether the network resets more streams than it may: nothing without a valid key is done for it over HTTP/2. */
  isResetting(): boolean;
  /** To be told the key that the request has brought, once it is known to be valid. */
  welcome(keyId: string): void;
}

export type Handler = (request: Request, response: Response, visit: Visit) => void;

/** What connections may cost. Times in milliseconds. */
export interface ConnectionLimits {
  /** For the first bytes, and for all headers. */
  readonly headersTimeoutMs: number;
  /** For a whole HTTP/1.1 request. */
  readonly requestTimeoutMs: number;
  /** Without a request, for connections of either protocol. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Header fields of an HTTP/2 request, and HTTP/2 streams that one connection may have at a time. */
  readonly maxHeaderFields: number;
  readonly maxStreams: number;
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

interface ListenerOptions {
  readonly handler: Handler;
  /** Is told what was answered without a request. */
  readonly malformed: (answer: Malformed) => void;
  readonly limits: ConnectionLimits;
  readonly bounds: DoorBounds;
  readonly ledger: Ledger;
  readonly addresses: CallerAddress;
  readonly tls?: TlsFiles | undefined;
}

/** How many times as many streams a proxy's connection may reset: it carries those of many callers. */
const PROXY_RESETS = 10;

/** Resets in a second where there is no bound. */
const UNBOUNDED = 2 ** 31 - 1;

export function createListener(options: ListenerOptions): Listener {
  const { malformed, limits, bounds, ledger, addresses, tls } = options;
  let draining = false;
  const answering = new Set<http1.ServerResponse>();
  const unread = cutUnread(limits.unread);
  const connections = createConnections(ledger, bounds, addresses);
  /** By their socket, or by their HTTP/2 session and each stream of it: one that is reset forgets its session. */
  const connectionOf = new WeakMap<object, Connection>();

  const begin = (request: Request, response: Response, connection: Connection | undefined) => {
    if (connection === undefined) return void response.destroy();
    connection.begin(response);
    const { isProxy, network } = connection;
    const caller = isProxy ? addresses.of(request.socket.remoteAddress ?? "", request.headers) : network;
    response.once("close", () => {
      if ("stream" in response && isReset(response.stream)) connections.reset(connection, caller);
    });
    options.handler(request, response, {
      connection,
      network: caller,
      isResetting: () => "stream" in response && connections.isResetting(caller),
      welcome: (keyId) => connections.welcome(connection, keyId, caller),
    });
  };
  const inTurn = oneAtATime((request, response) => {
    unread.watch(response);
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (draining) response.shouldKeepAlive = false;
    request.url = originForm(request.url ?? "");
    begin(request, response, connectionOf.get(request.socket));
  });
  const h1 = createHttp1(options, inTurn.onRequest);
  h1.on("clientError", (error, socket) => {
    const isAnswering = answering.values().some((response) => response.socket === socket);
    refuseMalformed(error, socket, isAnswering, malformed);
  });
  const h2 = createHttp2(options, (request, response) => {
    const { stream } = response;
    const connection = connectionOf.get(stream);
    // Taken back before it was looked at, maybe with all others of its connection.
    if (connection !== undefined && (stream.destroyed || stream.closed)) {
      return connections.reset(connection, connection.network);
    }
    unread.watch(response);
    begin(request, response, connection);
  });
  const socketOf = new WeakMap<http2.ServerHttp2Session, Socket>();
  // A session that was closed before it is destroyed waits for its peer to hang up, which an attacker's never does.
  const cutSession = (session: http2.ServerHttp2Session, code: number = http2.constants.NGHTTP2_NO_ERROR) => {
    session.destroy(undefined, code);
    socketOf.get(session)?.destroy();
  };
  const isIdle = (session: http2.ServerHttp2Session) => {
    const connection = connectionOf.get(session);
    return connection === undefined || connection.idleMs(performance.now()) >= limits.keepAliveTimeoutMs;
  };
  const sessions = sweepSessions(h2, limits.sweep, cutSession, isIdle);
  const uselessMs = limits.keepAliveTimeoutMs + limits.sweep.closeGraceMs;
  const useless = setInterval(() => connections.cutUseless(uselessMs), limits.sweep.everyMs);
  useless.unref();
  const asHttp1 = takeOver(h1, tls === undefined ? "connection" : "secureConnection");
  const tellApart = tls === undefined ? sniffProtocol : negotiateProtocol;
  const placeOf = placesOf(connections);
  const undecided = tellApart(h1, limits.headersTimeoutMs, (socket, protocol) => {
    const connection = placeOf(socket);
    if (connection === undefined) return void socket.destroy();
    connectionOf.set(socket, connection);
    if (protocol === "http1") {
      asHttp1(socket);
      return inTurn.attach(socket);
    }
    if (!connections.maySpeakHttp2(connection)) return void socket.destroy();
    // Sockets of an HTTP/1.1 server may be half open; an HTTP/2 session would keep them so for good.
    socket.allowHalfOpen = false;
    const remember = (session: http2.ServerHttp2Session) => {
      socketOf.set(session, socket);
      connectionOf.set(session, connection);
      session.prependListener("stream", (stream) => connectionOf.set(stream, connection));
      connection.cutBy(() => cutSession(session, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM));
    };
    h2.on("session", remember);
    h2.emit("connection", socket);
    h2.off("session", remember);
  });
  placeOf.guard(h1);

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
      clearInterval(useless);
      unread.stop();
    },
  };
}

/** The server that listens: only so do its timeouts and closeIdleConnections() work. */
function createHttp1({ limits, malformed, tls }: ListenerOptions, answer: http1.RequestListener): http1.Server {
  const options: http1.ServerOptions = {
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: limits.maxHeaderBytes,
    // Refused by the handler, like everything else that is wrong.
    requireHostHeader: false,
  };
  const h1 =
    tls === undefined
      ? http1.createServer(options, answer)
      : https.createServer(
          { ...options, ...tls, ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: limits.headersTimeoutMs },
          answer,
        );
  // Node would refuse what a request expects beside 100-continue; it is passed over instead.
  h1.on("checkExpectation", answer);
  // No proxy: Node would close the connection without a word.
  h1.on("connect", (_, socket) => refuseMalformed(new Error("CONNECT"), socket, false, malformed));
  return h1;
}

function createHttp2(
  { limits, bounds, addresses, malformed }: ListenerOptions,
  answer: (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void,
): http2.Http2Server {
  const onRequest = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => {
    // Announced in the settings, and left to us to hold.
    if (headerBytes(request) <= limits.maxHeaderBytes) return answer(request, response);
    const { stream } = response;
    // Its peer may have reset the stream by now: there is nobody to answer, and answering would throw.
    if (stream.closed || stream.destroyed) return;
    const refusal = malformedAnswer("HEADERS_TOO_LARGE");
    const { status, headers, body } = refusal;
    malformed(refusal);
    stream.respond({ ":status": status, ...headers });
    stream.end(body);
  };
  const resets = bounds.resetsPerSecond === 0 ? UNBOUNDED : bounds.resetsPerSecond * (addresses.any ? PROXY_RESETS : 1);
  const h2 = http2.createServer(
    {
      settings: {
        maxConcurrentStreams: limits.maxStreams,
        enablePush: false,
        maxHeaderListSize: limits.maxHeaderBytes,
      },
      maxHeaderListPairs: limits.maxHeaderFields,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      streamResetBurst: resets,
      streamResetRate: resets,
    },
    onRequest,
  );
  h2.on("connect", onRequest);
  // A peer's protocol error is the peer's, and must not reach the process.
  h2.on("sessionError", () => {});
  return h2;
}

/** What a server does with a new connection; it does it no longer by itself. */
function takeOver(server: http1.Server, event: "connection" | "secureConnection"): (socket: Socket) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  return (socket) => void listener?.call(server, socket);
}

/**
 * Finds the place that a connection was given, by its peer: with TLS the socket that is answered on is not the one that was
 * accepted. `guard` lets a server see only connections that have a place.
 */
function placesOf(connections: Connections) {
  const places = new Map<string, Connection>();
  const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  const placeOf = (socket: Socket) => places.get(peerOf(socket));
  placeOf.guard = (server: http1.Server) => {
    const listeners = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      const connection = connections.admit(socket);
      if (connection === undefined) return void socket.destroy();
      const peer = peerOf(socket);
      places.set(peer, connection);
      socket.once("close", () => {
        if (places.get(peer) === connection) places.delete(peer);
      });
      for (const listener of listeners) listener.call(server, socket);
    });
  };
  return placeOf;
}

/** Whether the caller has taken its request back. */
function isReset({ rstCode }: http2.ServerHttp2Stream): boolean {
  return rstCode !== undefined && rstCode !== http2.constants.NGHTTP2_NO_ERROR;
}

/** Size of a request's headers as HTTP/2 counts it (RFC 9113, section 6.5.2). */
function headerBytes({ rawHeaders }: http2.Http2ServerRequest): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + HEADER_OVERHEAD / 2, 0);
}
