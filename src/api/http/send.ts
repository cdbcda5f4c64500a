import type { Writable } from "node:stream";
import type { SwapError } from "../../domain/errors/swap-error.ts";
import { type Exchange, noteRefusal } from "../calls/call.ts";
import type { Page } from "../docs/page.ts";
import { httpStatusOf, rpcCodeOf } from "../errors/error-cases.ts";
import { errorHeaders, restErrorBody } from "../errors/rest-error.ts";
import { type Compressor, isGzipWanted } from "./compression.ts";
import { grpcTypeOf } from "./content-types.ts";
import type { Request, Response } from "./messages.ts";
import { grpcEscape } from "./trailers-only.ts";

/** A body with its length in bytes. As text it goes out in one piece with the headers. */
export interface Written {
  readonly text: string;
  readonly byteLength: number;
}

export function written(text: string): Written {
  return { text, byteLength: Buffer.byteLength(text) };
}

/** Sends a whole answer; to HEAD without its body. A body of bytes is sent from where it stands, and not copied. */
function sendBody(
  request: Request,
  response: Response,
  answer: { readonly status: number; readonly contentType: string; readonly body: string | Written | Uint8Array },
): void {
  const body = typeof answer.body === "string" ? written(answer.body) : answer.body;
  response.statusCode = answer.status;
  response.setHeader("content-type", answer.contentType);
  response.setHeader("content-length", body.byteLength);
  if (request.method === "HEAD") response.end();
  else response.end("text" in body ? body.text : body);
}

/** Sends a whole answer, compressed for those who take it so where it is large enough. */
export async function sendCompressed(
  request: Request,
  response: Response,
  answer: { readonly status: number; readonly contentType: string; readonly body: Written | Uint8Array },
  compressor: Compressor,
): Promise<void> {
  response.appendHeader("vary", "accept-encoding");
  const { body } = answer;
  if (!isGzipWanted(request.headers, body.byteLength, compressor.from)) return sendBody(request, response, answer);
  const compressed = await compressor.gzipped(body);
  // The caller may have left meanwhile.
  if (response.closed || response.destroyed) return;
  response.setHeader("content-encoding", "gzip");
  sendBody(request, response, { ...answer, body: compressed });
}

/**
 * Sends a page: bytes compressed for those who take them so, parts one after another. What is shared with other readers is
 * not copied for each.
 */
export function sendPage(
  request: Request,
  response: Response,
  { body, cacheControl, ...answer }: Page,
  compressor: Compressor,
): void | Promise<void> {
  if (cacheControl !== undefined) response.setHeader("cache-control", cacheControl);
  // Pages that are made anew are small, and compressing them would be made anew too.
  if (typeof body === "string") return sendBody(request, response, { ...answer, body });
  if (body instanceof Uint8Array) return sendCompressed(request, response, { ...answer, body }, compressor);
  const byteLength = body.reduce((sum, part) => sum + part.byteLength, 0);
  if (isGzipWanted(request.headers, byteLength, compressor.from)) {
    return sendCompressed(request, response, { ...answer, body: Buffer.concat(body) }, compressor);
  }
  response.appendHeader("vary", "accept-encoding");
  const out: Writable = response;
  response.statusCode = answer.status;
  response.setHeader("content-type", answer.contentType);
  response.setHeader("content-length", String(byteLength));
  if (request.method !== "HEAD") for (const part of body) out.write(part);
  out.end();
}

/** Sends a refusal in the form that the caller's protocol reads: gRPC's if it speaks that, else the REST body. */
export function sendRefusal(request: Request, response: Response, error: SwapError, exchange: Exchange): void {
  if (exchange.failure === undefined) noteRefusal(exchange, error);
  if (response.headersSent) return void response.destroy();
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  const grpcType = grpcTypeOf(request.headers["content-type"]);
  if (grpcType !== undefined) {
    response.statusCode = 200;
    response.setHeader("content-type", grpcType);
    response.setHeader("grpc-status", String(rpcCodeOf(error, true)));
    response.setHeader("grpc-message", grpcEscape(error.message));
    return void response.end();
  }
  const status = httpStatusOf(error);
  sendBody(request, response, {
    status,
    contentType: "application/json",
    body: restErrorBody(error, exchange.requestId),
  });
}
