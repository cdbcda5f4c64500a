import type { TLSSocket } from "node:tls";
import type { Request } from "./messages.ts";

/** A name or an address with an optional port, as a URL has it (RFC 3986, section 3.2.2, without what is encoded). */
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST = 260;

/**
 * Origin under which the caller reaches the service: the scheme of its connection and the host that it names. An invalid
 * host is not repeated: nothing but letters, digits, and `.:-_[]` gets into a page.
 */
export function serviceOrigin(request: Request): string {
  const socket = request.socket as Partial<TLSSocket>;
  const scheme = socket.encrypted === true ? "https" : "http";
  const named = request.headers.host ?? request.headers[":authority"];
  const host = Array.isArray(named) ? named[0] : named;
  const isHost =
    host !== undefined && host.length <= MAX_HOST && HOST.test(host) && URL.canParse(`${scheme}://${host}`);
  return `${scheme}://${isHost ? host.toLowerCase() : `localhost:${socket.localPort}`}`;
}
