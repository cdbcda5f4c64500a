import type { Server, ServerResponse } from "node:http";
import http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Connection } from "../connections/connection.ts";
import { type Connections, createConnections } from "../connections/connections.ts";
import { cutUnread } from "../connections/cut-unread.ts";
import { Http2Sessions } from "../connections/http2-sessions.ts";
import type { Request, Response } from "../connections/messages.ts";
import { negotiateProtocol } from "../connections/negotiate-protocol.ts";
import { oneAtATime } from "../connections/one-at-a-time.ts";
import { originForm } from "../connections/origin-form.ts";
import { placesOf } from "../connections/places.ts";
import { sniffProtocol } from "../connections/sniff-protocol.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import type { Ledger } from "../limits/ledger.ts";
import { refuseMalformed } from "./malformed.ts";
import { createHttp1, createHttp2, type ServerParts, takeOver } from "./servers.ts";

export type { ConnectionLimits, TlsFiles } from "./servers.ts";

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
  readonly bounds: DoorBounds;
  readonly ledger: Ledger;
  readonly addresses: CallerAddress;
}

export function createListener(options: ListenerOptions): Listener {
  const { malformed, limits, bounds, ledger, addresses, tls } = options;
  const connections = createConnections(ledger, bounds, addresses);
  const begin = beginVisits(options, connections);
  const unread = cutUnread(limits.unread);
  const http1 = answerHttp1(unread.watch, begin);
  const h1 = createHttp1(options, http1.onRequest);
  h1.on("clientError", (error, socket) => refuseMalformed(error, socket, http1.isAnswering(socket), malformed));
  const h2 = createHttp2(options, (request, response) => {
    const { stream } = response;
    const connection = sessions.connectionOf(stream);
    // Taken back before it was looked at, maybe with all others of its connection.
    if (connection !== undefined && (stream.destroyed || stream.closed)) {
      return connections.reset(connection, connection.network);
    }
    unread.watch(response);
    begin(request, response, connection);
  });
  const sessions = new Http2Sessions(h2, limits);
  const uselessMs = limits.keepAliveTimeoutMs + limits.sweep.closeGraceMs;
  const useless = setInterval(() => connections.cutUseless(uselessMs), limits.sweep.everyMs);
  useless.unref();
  const asHttp1 = takeOver(h1, tls === undefined ? "connection" : "secureConnection");
  const tellApart = tls === undefined ? sniffProtocol : negotiateProtocol;
  const placeOf = placesOf(connections);
  const undecided = tellApart(h1, limits.headersTimeoutMs, (socket, protocol) => {
    const connection = placeOf(socket);
    if (connection === undefined) return void socket.destroy();
    if (protocol === "http1") {
      asHttp1(socket);
      return http1.attach(socket, connection);
    }
    if (!connections.maySpeakHttp2(connection)) return void socket.destroy();
    sessions.attach(socket, connection);
  });
  placeOf.guard(h1);

  return {
    listen: (port, host) => listen(h1, port, host),
    port: () => (h1.address() as AddressInfo).port,
    sessionCount: () => sessions.count(),
    async drain(timeoutMs) {
      http1.drain();
      const closed = new Promise<void>((resolve) => h1.close(() => resolve()));
      undecided.stop();
      sessions.close();
      const cut = setTimeout(() => {
        h1.closeAllConnections();
        sessions.cutAll();
      }, timeoutMs);
      await closed;
      clearTimeout(cut);
      sessions.cutAll();
      sessions.stop();
      clearInterval(useless);
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

/** A request with its connection, or without one where that was cut. */
type Begin = (request: Request, response: Response, connection: Connection | undefined) => void;

/** Hands requests on with what is known of their callers. */
function beginVisits({ addresses, handler }: ListenerOptions, connections: Connections): Begin {
  return (request, response, connection) => {
    if (connection === undefined) return void response.destroy();
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
      welcome: (keyId) => connections.welcome(connection, keyId, caller),
    });
  };
}

/** Answers the requests of HTTP/1.1 connections, one of each connection at a time. */
function answerHttp1(watch: (response: ServerResponse) => void, begin: Begin) {
  const connectionOf = new WeakMap<Socket, Connection>();
  const answering = new Set<ServerResponse>();
  let draining = false;
  const inTurn = oneAtATime((request, response) => {
    watch(response);
    answering.add(response);
    response.once("close", () => answering.delete(response));
    if (draining) response.shouldKeepAlive = false;
    request.url = originForm(request.url ?? "");
    begin(request, response, connectionOf.get(request.socket));
  });
  return {
    onRequest: inTurn.onRequest,
    attach(socket: Socket, connection: Connection): void {
      connectionOf.set(socket, connection);
      inTurn.attach(socket);
    },
    isAnswering: (socket: Duplex) => answering.values().some((response) => response.socket === socket),
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
