import { isUtf8 } from "node:buffer";
import { type DescMethod, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { SwapError } from "../../domain/swap-error.ts";
import type { Exchange } from "../calls/call.ts";
import { TIMEOUTS } from "../calls/timeouts.ts";
import { decodeJsonText } from "../rest/json-fields.ts";
import { shown } from "../rest/query.ts";
import { readBody } from "./read-body.ts";

/** Headers that may say that a message is compressed. */
const ENCODINGS = ["content-encoding", "grpc-encoding", "connect-content-encoding"];

/** Headers that Connect itself would refuse calls for. */
const REFUSABLE = [...TIMEOUTS.map(([header]) => header), "connect-protocol-version"];

/** What the query of a Connect GET may hold. */
const QUERY: readonly string[] = ["message", "encoding", "base64", "compression", "connect"];

/** Node would pass over every other character. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Flag and length before an enveloped message. */
const ENVELOPE_BYTES = 5;

/** What a call's one message may take. */
export interface MessageLimits {
  /** Its bytes, after decompression. */
  readonly readMaxBytes: number;
  /** Milliseconds for its body to arrive in. */
  readonly bodyTimeoutMs: number;
}

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
  limits: MessageLimits,
): Promise<UniversalServerRequest> {
  if (request.method === "GET") return readQuery(request, method, exchange);
  const packing = packingOf(request.header.get("content-type"));
  if (packing === undefined) return request;
  exchange.refusal ??= headerProblem(request.header);
  // A refused call is answered without looking at its body.
  if (exchange.refusal !== undefined) return withoutMessage(request, packing);
  try {
    const most = limits.readMaxBytes + (packing.enveloped ? ENVELOPE_BYTES : 0);
    const bytes = await readBody(request.body as AsyncIterable<Uint8Array>, most, limits.bodyTimeoutMs);
    if (packing.enveloped) checkEnvelope(bytes);
    const message = packing.enveloped ? bytes.subarray(ENVELOPE_BYTES) : bytes;
    return withMessage(request, packing, decode(message, packing, method, exchange));
  } catch (error) {
    exchange.refusal = refusalOf(error);
    return withoutMessage(request, packing);
  }
}

/** Connect GET: the message stands in the query. It goes on as if it had been posted. */
function readQuery(request: UniversalServerRequest, method: DescMethod, exchange: Exchange): UniversalServerRequest {
  const query = new URL(request.url).searchParams;
  const encoding = query.get("encoding");
  const packing = { json: encoding !== "proto", enveloped: false };
  const text = query.get("message") ?? "";
  const bytes = query.get("base64") === "1" ? Buffer.from(text, "base64url") : Buffer.from(text);
  const header = new Headers(request.header);
  header.set("content-type", `application/${packing.json ? "json" : "proto"}`);
  const posted = { ...request, method: "POST", header };
  exchange.refusal ??= headerProblem(header) ?? queryProblem(query);
  if (exchange.refusal !== undefined) return withoutMessage(posted, packing);
  try {
    return withMessage(posted, packing, decode(bytes, packing, method, exchange));
  } catch (error) {
    exchange.refusal = refusalOf(error);
    return withoutMessage(posted, packing);
  }
}

/** @throws what is no refusal: a defect */
function refusalOf(thrown: unknown): SwapError {
  if (thrown instanceof SwapError) return thrown;
  throw thrown;
}

function compressed(): SwapError {
  return new SwapError("UNSUPPORTED_COMPRESSION", "compressed messages are not read - send them as they are");
}

/** What the headers say that cannot be, or that this service does not do. */
function headerProblem(header: Headers): SwapError | undefined {
  if (ENCODINGS.some((name) => (header.get(name) ?? "identity") !== "identity")) {
    return compressed();
  }
  for (const [name, form, example] of TIMEOUTS) {
    const value = header.get(name);
    if (value !== null && !form.test(value)) {
      return new SwapError("MALFORMED_BODY", `the header ${name} is no timeout - send ${example}`, {
        reason: "MALFORMED_TIMEOUT",
      });
    }
  }
  return versionProblem("header connect-protocol-version", header.get("connect-protocol-version"), "1");
}

/** What the query of a Connect GET says besides its message. */
function queryProblem(query: URLSearchParams): SwapError | undefined {
  const names = [...query.keys()];
  const odd = names.find((name, at) => !QUERY.includes(name) || names.indexOf(name) !== at);
  if (odd !== undefined) {
    const what = `${shown(odd)} is no parameter of Connect GET, or stands twice - what a call takes stands in message`;
    return new SwapError("MALFORMED_BODY", what);
  }
  const encoding = query.get("encoding");
  if (encoding !== "json" && encoding !== "proto") {
    return new SwapError("UNSUPPORTED_CONTENT_TYPE", "the parameter encoding must be json or proto");
  }
  if ((query.get("compression") ?? "identity") !== "identity") {
    return compressed();
  }
  if (query.get("base64") === "1" && !BASE64.test(query.get("message") ?? "")) {
    return new SwapError(
      "MALFORMED_BODY",
      "the parameter message is not base64 - encode it so, or send it without base64=1",
    );
  }
  return versionProblem("parameter connect", query.get("connect"), "v1");
}

function versionProblem(where: string, given: string | null, expected: string): SwapError | undefined {
  if (given === null || given === expected) return undefined;
  const message = `the ${where} names a version of Connect that is not spoken - send ${expected}, or leave it out`;
  return new SwapError("MALFORMED_BODY", message, { reason: "UNKNOWN_VERSION" });
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
    if (decoded === undefined)
      throw new SwapError("MALFORMED_BODY", "the body is not a JSON object - send one whose fields are the parameters");
    exchange.problems = decoded.problems;
    return decoded.json;
  }
  try {
    fromBinary(method.input, bytes);
  } catch (cause) {
    throw new SwapError(
      "MALFORMED_BODY",
      "the body is not the protobuf message that the method takes - encode that of swap.proto",
      { cause },
    );
  }
  return bytes;
}

/** @throws SwapError unless the bytes are one whole message, not compressed */
function checkEnvelope(bytes: Uint8Array): void {
  if (bytes.length >= ENVELOPE_BYTES && bytes[0] === 1) {
    throw compressed();
  }
  const whole =
    bytes.length >= ENVELOPE_BYTES &&
    bytes[0] === 0 &&
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(1) === bytes.length - ENVELOPE_BYTES;
  if (!whole)
    throw new SwapError(
      "MALFORMED_BODY",
      "the body is not one whole message - send its 5 bytes of head with the right length, and all of it",
      { reason: "BROKEN_ENVELOPE" },
    );
}

/** The request of a refused call: nothing in it for Connect to stumble over before the refusal is told. */
function withoutMessage(request: UniversalServerRequest, packing: Packing): UniversalServerRequest {
  const header = new Headers(request.header);
  for (const name of REFUSABLE) header.delete(name);
  return withMessage({ ...request, header }, packing, Buffer.alloc(0));
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
