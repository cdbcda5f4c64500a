import http1 from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type Malformed, refuseMalformed } from "../http/malformed.ts";
import type { Request, Response } from "../http/messages.ts";
import { originForm } from "../http/origin-form.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import type { Ledger } from "../limits/ledger.ts";
import type { Connection } from "./connection.ts";
import { type Connections, createConnections } from "./connections.ts";
import { cutUnread, type UnreadLimits } from "./cut-unread.ts";
import { createHttp2Sessions, type SessionLimits } from "./http2-sessions.ts";
import { negotiateProtocol } from "./negotiate-protocol.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { sniffProtocol } from "./sniff-protocol.ts";

/** One request's connection, and the network that its caller sits in: behind a trusted proxy, the proxy's caller's. */
export interface Visit {
  readonly connection: Connection;
  readonly network: string;
  /** Whether the network resets more streams than it may: nothing without a valid key is done for it over HTTP/2. */
  isResetting(): boolean;
  /** Ends the connection with the answer to a request beyond what the network may send. */
  endWith(response: Response): void;
  /** To be told the key that the request has brought, once it is known to be valid. */
  welcome(keyId: string): void;
}

export type Handler = (request: Request, response: Response, visit: Visit) => void;

/** What connections may cost. Times in milliseconds. */
export interface ConnectionLimits extends SessionLimits {
  /** For the first bytes, and for all headers. */
  readonly headersTimeoutMs: number;
  /** For a whole HTTP/1.1 request. */
  readonly requestTimeoutMs: number;
  readonly unread: UnreadLimits;
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

/** Milliseconds between two looks at how many bytes have come. */
const FLOODS_EVERY_MS = 250;

/** How many times as many streams a proxy's connection may reset: it carries those of many callers. */
const PROXY_RESETS = 10;

export function createListener(options: ListenerOptions): Listener {
  const { malformed, limits, bounds, ledger, addresses, tls } = options;
  let draining = false;
  const answering = new Set<http1.ServerResponse>();
  const unread = cutUnread(limits.unread);
  const connections = createConnections(ledger, bounds, addresses);
  const connectionOf = new WeakMap<Socket, Connection>();

  const begin = (request: Request, response: Response, connection: Connection) => {
    unread.watch(response);
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
      endWith: (answer) => connections.refuse(connection, caller, answer),
      welcome: (keyId) => connections.welcome(connection, keyId, caller),
    });
  };
  const inTurn = oneAtATime((request, response) => {
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (draining) response.shouldKeepAlive = false;
    request.url = originForm(request.url ?? "");
    const connection = connectionOf.get(request.socket);
    if (connection === undefined) response.destroy();
    else begin(request, response, connection);
  });
  const h1 = createHttp1(options, inTurn.onRequest);
  h1.on("clientError", (error, socket: Socket) =>
    refuseMalformed(error, socket, inTurn.isAnswering(socket), malformed),
  );
  const resets = bounds.resetsPerSecond * (addresses.any ? PROXY_RESETS : 1);
  const h2 = createHttp2Sessions(limits, resets, {
    answer: begin,
    onReset: (connection) => connections.reset(connection, connection.network),
    malformed,
  });
  const cutUseless = () => connections.cutUseless(limits.keepAliveTimeoutMs + limits.sweep.closeGraceMs);
  const timers = [
    setInterval(cutUseless, limits.sweep.everyMs).unref(),
    setInterval(connections.cutFloods, FLOODS_EVERY_MS).unref(),
  ];
  const asHttp1 = takeOver(h1, tls === undefined ? "connection" : "secureConnection");
  const tellApart = tls === undefined ? sniffProtocol : negotiateProtocol;
  const placeOf = placesOf(connections);
  const undecided = tellApart(h1, limits.headersTimeoutMs, (socket, protocol) => {
    holdErrors(socket);
    const connection = placeOf(socket);
    if (connection === undefined) return void socket.destroy();
    if (protocol === "http2") {
      return connections.maySpeakHttp2(connection) ? h2.accept(socket, connection) : void socket.destroy();
    }
    connectionOf.set(socket, connection);
    asHttp1(socket);
    inTurn.attach(socket);
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
    sessionCount: () => h2.open().length,
    async drain(timeoutMs) {
      draining = true;
      const closed = new Promise<void>((resolve) => h1.close(() => resolve()));
      undecided.stop();
      for (const response of answering) response.shouldKeepAlive = false;
      h2.close();
      const cut = setTimeout(() => {
        h1.closeAllConnections();
        h2.cutAll();
      }, timeoutMs);
      await closed;
      clearTimeout(cut);
      h2.cutAll();
      h2.stop();
      for (const timer of timers) clearInterval(timer);
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

/** What a server does with a new connection; it does it no longer by itself. */
function takeOver(server: http1.Server, event: "connection" | "secureConnection"): (socket: Socket) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  return (socket) => void listener?.call(server, socket);
}

/**
 * Keeps what a peer does to its connection from ending the process. Node's servers listen to errors themselves, but not while
 * a socket changes hands, and no longer after CONNECT.
 */
function holdErrors(socket: Socket): void {
  socket.on("error", () => {});
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
      holdErrors(socket);
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
