import { isUtf8 } from "node:buffer";
import { type DescMethod, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { SwapError } from "../domain/swap-error.ts";
import type { Exchange } from "./call.ts";
import { readBody } from "./read-body.ts";
import { decodeJsonText } from "./rest/json-fields.ts";
import type { RpcLimits } from "./rpc-service.ts";

/** Headers that may say that a message is compressed. */
const ENCODINGS = ["content-encoding", "grpc-encoding", "connect-content-encoding"];

/** Flag and length before an enveloped message. */
const ENVELOPE_BYTES = 5;

/** How the one message of a call is packed. */
interface Packing {
  readonly json: boolean;
  readonly enveloped: boolean;
}

/**
 * Reads the message of a call that has one before Connect does, so that every problem of it is known at once and told with the
 * same details on every protocol. What cannot be decoded goes on as an empty message, with the refusal noted down.
 */
export async function readMessage(
  request: UniversalServerRequest,
  method: DescMethod,
  exchange: Exchange,
  limits: RpcLimits,
): Promise<UniversalServerRequest> {
  if (request.method === "GET") return readQuery(request, method, exchange);
  const packing = packingOf(request.header.get("content-type"));
  if (packing === undefined) return request;
  // A refused call is answered without looking at its body.
  if (exchange.refusal !== undefined) return withMessage(request, packing, Buffer.alloc(0));
  const encoded = ENCODINGS.some((name) => (request.header.get(name) ?? "identity") !== "identity");
  if (encoded) return request;
  try {
    const most = limits.readMaxBytes + (packing.enveloped ? ENVELOPE_BYTES : 0);
    const bytes = await readBody(request.body as AsyncIterable<Uint8Array>, most, limits.bodyTimeoutMs);
    // Zero or two messages, and flags, are a matter of the protocol: Connect answers those.
    if (packing.enveloped && !isOneMessage(bytes)) return { ...request, body: oneChunk(bytes) };
    const message = packing.enveloped ? bytes.subarray(ENVELOPE_BYTES) : bytes;
    return withMessage(request, packing, decode(message, packing, method, exchange));
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    exchange.refusal = error;
    return withMessage(request, packing, Buffer.alloc(0));
  }
}

/** Connect GET: the message stands in the query. It goes on as if it had been posted. */
function readQuery(request: UniversalServerRequest, method: DescMethod, exchange: Exchange): UniversalServerRequest {
  const query = new URL(request.url).searchParams;
  const encoding = query.get("encoding");
  if ((encoding !== "json" && encoding !== "proto") || query.has("compression")) return request;
  const packing = { json: encoding === "json", enveloped: false };
  const text = query.get("message") ?? "";
  const bytes = query.get("base64") === "1" ? Buffer.from(text, "base64url") : Buffer.from(text);
  const header = new Headers(request.header);
  header.set("content-type", `application/${encoding}`);
  const posted = { ...request, method: "POST", header };
  try {
    return withMessage(posted, packing, decode(bytes, packing, method, exchange));
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    exchange.refusal ??= error;
    return withMessage(posted, packing, Buffer.alloc(0));
  }
}

/** Undefined for content types that are none of ours. */
function packingOf(contentType: string | null): Packing | undefined {
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type === "application/json") return { json: true, enveloped: false };
  if (type === "application/proto") return { json: false, enveloped: false };
  const enveloped = /^application\/(?:grpc|grpc-web|connect(?=\+))(\+proto|\+json)?$/.exec(type);
  return enveloped === null ? undefined : { json: enveloped[1] === "+json", enveloped: true };
}

/**
 * The message with what is wrong in it taken out and noted down.
 * @throws SwapError MALFORMED_BODY
 */
function decode(bytes: Uint8Array, packing: Packing, method: DescMethod, exchange: Exchange): Uint8Array | JsonObject {
  if (packing.json) {
    const decoded = isUtf8(bytes) ? decodeJsonText(method.input, Buffer.from(bytes).toString()) : undefined;
    if (decoded === undefined) throw new SwapError("MALFORMED_BODY", "the body is not a JSON object");
    exchange.problems = decoded.problems;
    return decoded.json;
  }
  try {
    fromBinary(method.input, bytes);
  } catch (cause) {
    throw new SwapError("MALFORMED_BODY", "the body is not the protobuf message that the method takes", { cause });
  }
  return bytes;
}

function isOneMessage(bytes: Uint8Array): boolean {
  if (bytes.length < ENVELOPE_BYTES || bytes[0] !== 0) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(1) === bytes.length - ENVELOPE_BYTES;
}

/** The request with another message in it; no bytes are the empty message in every packing. */
function withMessage(
  request: UniversalServerRequest,
  packing: Packing,
  message: Uint8Array | JsonObject,
): UniversalServerRequest {
  const header = new Headers(request.header);
  for (const name of ["content-length", ...ENCODINGS]) header.delete(name);
  const empty = message instanceof Uint8Array && message.length === 0;
  const json = packing.json && empty ? {} : message;
  if (packing.json && !packing.enveloped) return { ...request, header, body: json as JsonObject };
  const bytes = json instanceof Uint8Array ? json : Buffer.from(JSON.stringify(json));
  if (!packing.enveloped) return { ...request, header, body: oneChunk(bytes) };
  const envelope = Buffer.alloc(ENVELOPE_BYTES);
  envelope.writeUInt32BE(bytes.length, 1);
  return { ...request, header, body: oneChunk(Buffer.concat([envelope, bytes])) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
