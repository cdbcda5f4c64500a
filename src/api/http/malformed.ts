import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { RefusalReason } from "../../domain/errors/refusals.ts";
import { refuse } from "../../domain/errors/swap-error.ts";
import { httpStatusOf } from "../errors/error-cases.ts";
import { restErrorBody } from "../errors/rest-error.ts";

/** Messages for input that is no valid request. */
const MESSAGES = {
  MALFORMED_REQUEST: "these bytes are no HTTP request - send HTTP/1.1, or HTTP/2 from the first byte on",
  REQUEST_TOO_SLOW: "the request did not arrive in time - send it at once",
  HEADERS_TOO_LARGE:
    "the headers, with the path and the query, are too large - send the parameters only, and long lists in the body of a Connect POST",
} as const;

const BY_ERROR: Readonly<Record<string, keyof typeof MESSAGES>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TOO_SLOW",
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
};

/** Input that never became a request, as it was answered. */
export interface Malformed {
  readonly requestId: string;
  readonly reason: RefusalReason;
  readonly status: number;
}

/** The documented answer to something that never became a request. */
export function malformedAnswer(reason: keyof typeof MESSAGES): Malformed & {
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const refusal = refuse(reason, MESSAGES[reason]);
  const status = httpStatusOf(refusal);
  const requestId = randomUUID();
  const body = restErrorBody(refusal, requestId);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
  };
  return { requestId, reason, status, statusText: STATUS_CODES[status] ?? "", headers, body };
}

/**
 * Answers what the parser of HTTP/1.1 could not read, and closes its connection; without a word where an answer to an
 * earlier request is on its way (`answering`), which this one would be taken for. `note` is told what was answered.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answering: boolean,
  note: (malformed: Malformed) => void,
): void {
  if (!socket.writable || answering) return void socket.destroy();
  const answer = malformedAnswer(BY_ERROR[error.code ?? ""] ?? "MALFORMED_REQUEST");
  const { status, statusText, headers, body } = answer;
  note(answer);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${statusText}\r\n${lines.join("")}\r\n${body}`);
}
