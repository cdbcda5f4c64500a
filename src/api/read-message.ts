import { isUtf8 } from "node:buffer";
import { type DescMethod, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { SwapError } from "../domain/swap-error.ts";
import type { Exchange } from "./call.ts";
import { decodeJsonText } from "./rest/json-fields.ts";
import type { RpcLimits } from "./rpc-service.ts";

/** Flag and length before a gRPC message. */
const ENVELOPE_BYTES = 5;

/**
 * Reads a unary call's message before Connect does, so that every problem of it is known at once and told with the
 * same details on every protocol. What cannot be decoded goes on as an empty message, with the refusal noted down.
 */
export async function readMessage(
  request: UniversalServerRequest,
  method: DescMethod,
  exchange: Exchange,
  limits: RpcLimits,
): Promise<UniversalServerRequest> {
  if (request.method === "GET") return readQuery(request, method, exchange);
  const type = (request.header.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const compressed = request.header.has("content-encoding") || request.header.has("grpc-encoding");
  const json = type === "application/json";
  // A refused call is answered without looking at its body.
  if (exchange.refusal !== undefined) return withEmptyMessage(request, type);
  if (compressed && (request.header.get("content-encoding") ?? request.header.get("grpc-encoding")) !== "identity") {
    return request;
  }
  let bytes: Uint8Array;
  try {
    bytes = await readAll(request.body as AsyncIterable<Uint8Array>, limits);
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    exchange.refusal = error;
    return withEmptyMessage(request, type);
  }
  if (json) return { ...request, body: decodeJson(bytes, method, exchange) };
  const start = type === "application/proto" ? 0 : ENVELOPE_BYTES;
  const binary = type === "application/proto" || /^application\/grpc(-web)?(\+proto)?$/.test(type);
  if (binary && isOneMessage(bytes, start) && !isDecodable(method, bytes.subarray(start))) {
    exchange.refusal = malformed("the body is not the protobuf message that the method takes");
    return withEmptyMessage(request, type);
  }
  return { ...request, body: oneChunk(bytes) };
}

/** Connect GET: the message stands in the query. JSON goes on as if it had been posted. */
function readQuery(request: UniversalServerRequest, method: DescMethod, exchange: Exchange): UniversalServerRequest {
  const query = new URL(request.url).searchParams;
  if (query.get("encoding") !== "json" || query.has("compression")) return request;
  const text = query.get("message") ?? "";
  const bytes = query.get("base64") === "1" ? Buffer.from(text, "base64url") : Buffer.from(text);
  const header = new Headers(request.header);
  header.set("content-type", "application/json");
  return { ...request, method: "POST", header, body: decodeJson(bytes, method, exchange) };
}

function decodeJson(bytes: Uint8Array, method: DescMethod, exchange: Exchange): JsonObject {
  const decoded = isUtf8(bytes) ? decodeJsonText(method.input, Buffer.from(bytes).toString()) : undefined;
  if (decoded === undefined) exchange.refusal ??= malformed("the body is not a JSON object");
  exchange.problems = decoded?.problems ?? [];
  return decoded?.json ?? {};
}

async function readAll(body: AsyncIterable<Uint8Array>, limits: RpcLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const most = limits.readMaxBytes + ENVELOPE_BYTES;
  const iterator = body[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(malformed("the body did not arrive in time")), limits.bodyTimeoutMs);
  });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next.done === true) return Buffer.concat(chunks);
      length += next.value.byteLength;
      if (length > most) throw tooLarge(limits.readMaxBytes);
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
    late.catch(() => {});
  }
}

function isOneMessage(bytes: Uint8Array, start: number): boolean {
  if (start === 0) return true;
  if (bytes.length < ENVELOPE_BYTES || bytes[0] !== 0) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(1) === bytes.length - ENVELOPE_BYTES;
}

function isDecodable(method: DescMethod, bytes: Uint8Array): boolean {
  try {
    fromBinary(method.input, bytes);
    return true;
  } catch {
    return false;
  }
}

function withEmptyMessage(request: UniversalServerRequest, type: string): UniversalServerRequest {
  if (type === "application/json") return { ...request, body: {} };
  const plain = type === "application/proto";
  const json = !plain && type.endsWith("+json");
  const message = plain ? "" : json ? "\0\0\0\0\u0002{}" : "\0\0\0\0\0";
  const header = new Headers(request.header);
  for (const name of ["content-length", "content-encoding", "grpc-encoding"]) header.delete(name);
  return { ...request, header, body: oneChunk(Buffer.from(message, "latin1")) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

function malformed(message: string): SwapError {
  return new SwapError("MALFORMED_BODY", message);
}

function tooLarge(mostBytes: number): SwapError {
  return new SwapError("BODY_TOO_LARGE", `the body is larger than ${mostBytes} bytes`);
}
