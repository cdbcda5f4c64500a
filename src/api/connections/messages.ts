import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request of HTTP/1.1 or HTTP/2. */
export type Request = IncomingMessage | Http2ServerRequest;

/** The answer to a request of HTTP/1.1 or HTTP/2. */
export type Response = ServerResponse | Http2ServerResponse;
