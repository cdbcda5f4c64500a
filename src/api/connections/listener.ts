import type { Server, ServerResponse } from "node:http";
import http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { refuseMalformed } from "../http/malformed.ts";
import type { Request, Response } from "../http/messages.ts";
import { originForm } from "../http/origin-form.ts";
import type { ServerBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import type { Ledger } from "../limits/ledger.ts";
import type { Connection } from "./connection.ts";
import { Connections } from "./connections.ts";
import { connectionsByPeer, ignoreSocketErrors } from "./connections-by-peer.ts";
import { cutUnread } from "./cut-unread.ts";
import { createHttp1, type ServerParts, takeOver } from "./http1-server.ts";
import { Http2Sessions } from "./http2-sessions.ts";
import { negotiateProtocol } from "./negotiate-protocol.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { sniffProtocol } from "./sniff-protocol.ts";

export type { ConnectionLimits, TlsFiles } from "./http1-server.ts";

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

/** One port for HTTP/1.1 and HTTP/2: told apart by ALPN with TLS, and by the first bytes without (prior knowledge). */
export interface Listener {
  listen(port: number, host: string): Promise<void>;
  port(): number;
  /** HTTP/2 sessions that are open now. */
  sessionCount(): number;
  /** Stops accepting, closes what is idle, lets the rest finish, and cuts what is left after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

interface ListenerOptions extends ServerParts {
  readonly handler: Handler;
  readonly bounds: ServerBounds;
  readonly ledger: Ledger;
  readonly addresses: CallerAddress;
}

/** Milliseconds between two looks at how many bytes have come. */
const FLOODS_EVERY_MS = 250;

/** Factor for resets of a proxy's connection: it carries the streams of many callers. */
const PROXY_RESETS = 10;

export function createListener(options: ListenerOptions): Listener {
  const { malformed, limits, bounds, ledger, addresses, tls } = options;
  const connections = new Connections(ledger, bounds, addresses);
  const unread = cutUnread(limits.unread);
  const begin = beginVisits(options, connections, unread.watch);
  const http1 = answerHttp1(begin);
  const h1 = createHttp1(options, http1.onRequest);
  h1.on("clientError", (error, socket: Socket) => refuseMalformed(error, socket, http1.isAnswering(socket), malformed));
  const h2 = new Http2Sessions(limits, bounds.resetsPerSecond * (addresses.any ? PROXY_RESETS : 1), {
    answer: begin,
    onReset: (connection) => connections.reset(connection, connection.network),
    malformed,
  });
  const stopCutting = cutRegularly(connections, limits);
  const asHttp1 = takeOver(h1, tls === undefined ? "connection" : "secureConnection");
  const detectProtocol = tls === undefined ? sniffProtocol : negotiateProtocol;
  const placeOf = connectionsByPeer(connections);
  const undecided = detectProtocol(h1, limits.headersTimeoutMs, (socket, protocol) => {
    ignoreSocketErrors(socket);
    const connection = placeOf(socket);
    if (connection === undefined) return void socket.destroy();
    if (protocol === "http1") {
      asHttp1(socket);
      return http1.attach(socket, connection);
    }
    if (!connections.maySpeakHttp2(connection)) return void socket.destroy();
    h2.accept(socket, connection);
  });
  placeOf.guard(h1);

  return {
    listen: (port, host) => listen(h1, port, host),
    port: () => (h1.address() as AddressInfo).port,
    sessionCount: () => h2.count(),
    async drain(timeoutMs) {
      http1.drain();
      const closed = new Promise<void>((resolve) => h1.close(() => resolve()));
      undecided.stop();
      h2.close();
      const cut = setTimeout(() => {
        h1.closeAllConnections();
        h2.cutAll();
      }, timeoutMs);
      await closed;
      clearTimeout(cut);
      h2.cutAll();
      h2.stop();
      stopCutting();
      unread.stop();
    },
  };
}

/** @throws NodeJS.ErrnoException for example EADDRINUSE */
function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off("error", reject);
      server.on("error", () => {});
      resolve();
    });
  });
}

/** Looks again and again for connections that are useless or send too much. @returns what ends that */
function cutRegularly(connections: Connections, { keepAliveTimeoutMs, sweep }: ServerParts["limits"]): () => void {
  const uselessMs = keepAliveTimeoutMs + sweep.closeGraceMs;
  const timers = [
    setInterval(() => connections.cutUseless(uselessMs), sweep.everyMs).unref(),
    setInterval(() => connections.cutFloods(), FLOODS_EVERY_MS).unref(),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

type Begin = (request: Request, response: Response, connection: Connection) => void;

/** Hands requests on with what is known of their callers. */
function beginVisits(
  { addresses, handler }: ListenerOptions,
  connections: Connections,
  watch: (response: Response) => void,
): Begin {
  return (request, response, connection) => {
    watch(response);
    connection.begin(response);
    const { isProxy, network } = connection;
    const caller = isProxy ? addresses.of(request.socket.remoteAddress ?? "", request.headers) : network;
    response.once("close", () => {
      if ("stream" in response && isReset(response.stream)) connections.reset(connection, caller);
    });
    handler(request, response, {
      connection,
      network: caller,
      isResetting: () => "stream" in response && connections.isResetting(caller),
      endWith: (answer) => connections.refuse(connection, caller, answer),
      welcome: (keyId) => connections.welcome(connection, keyId, caller),
    });
  };
}

/** Answers the requests of HTTP/1.1 connections, one of each connection at a time. */
function answerHttp1(begin: Begin) {
  const connectionOf = new WeakMap<Socket, Connection>();
  const answering = new Set<ServerResponse>();
  let draining = false;
  const inTurn = oneAtATime((request, response) => {
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (draining) response.shouldKeepAlive = false;
    request.url = originForm(request.url ?? "");
    const connection = connectionOf.get(request.socket);
    if (connection === undefined) response.destroy();
    else begin(request, response, connection);
  });
  return {
    onRequest: inTurn.onRequest,
    attach(socket: Socket, connection: Connection): void {
      connectionOf.set(socket, connection);
      inTurn.attach(socket);
    },
    isAnswering: inTurn.isAnswering,
    /** From now on connections end with the answer that is under way. */
    drain(): void {
      draining = true;
      for (const response of answering) response.shouldKeepAlive = false;
    },
  };
}

/** Whether the caller has taken its request back. */
function isReset({ rstCode }: http2.ServerHttp2Stream): boolean {
  return rstCode !== undefined && rstCode !== http2.constants.NGHTTP2_NO_ERROR;
}
