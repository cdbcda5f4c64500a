import http1 from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { Socket } from "node:net";
import type { UnreadLimits } from "../connections/cut-unread.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import { type Malformed, malformedAnswer, refuseMalformed } from "./malformed.ts";

/** Bytes that each header counts beside its name and its value. */
const HEADER_OVERHEAD = 32;

/** How many times as many streams a proxy's connection may reset: it carries those of many callers. */
const PROXY_RESETS = 10;

/** Resets in a second where there is no bound. */
const UNBOUNDED = 2 ** 31 - 1;

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

/** What the servers of a listener are made with. */
export interface ServerParts {
  /** Is told what was answered without a request. */
  readonly malformed: (answer: Malformed) => void;
  readonly limits: ConnectionLimits;
  readonly bounds: Pick<DoorBounds, "resetsPerSecond">;
  readonly addresses: Pick<CallerAddress, "any">;
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

export function createHttp2(
  { limits, bounds, addresses, malformed }: ServerParts,
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
export function takeOver(server: http1.Server, event: "connection" | "secureConnection"): (socket: Socket) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  return (socket) => void listener?.call(server, socket);
}

/** Size of a request's headers as HTTP/2 counts it (RFC 9113, section 6.5.2). */
function headerBytes({ rawHeaders }: http2.Http2ServerRequest): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + HEADER_OVERHEAD / 2, 0);
}
