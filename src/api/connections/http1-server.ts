import http1 from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { type Malformed, refuseMalformed } from "../http/malformed.ts";
import type { UnreadLimits } from "./cut-unread.ts";
import type { SessionLimits } from "./http2-sessions.ts";

/** Limits of connections. Times in milliseconds. */
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

/** Parts of a listener's server. */
export interface ServerParts {
  /** Is told what was answered without a request. */
  readonly malformed: (answer: Malformed) => void;
  readonly limits: ConnectionLimits;
  readonly tls?: TlsFiles | undefined;
}

/** The server that listens: only so do its timeouts and closeIdleConnections() work. */
export function createHttp1({ limits, malformed, tls }: ServerParts, answer: http1.RequestListener): http1.Server {
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

/** Takes over what a server does with a new connection; it does it no longer by itself. */
export function takeOver(server: http1.Server, event: "connection" | "secureConnection"): (socket: Socket) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  return (socket) => void listener?.call(server, socket);
}
