import { isUtf8 } from "node:buffer";
import { type DescMethod, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import { TIMEOUTS } from "../calls/timeouts.ts";
import { gunzip } from "../http/compression.ts";
import { type RpcFormat, rpcFormatOf } from "../http/content-types.ts";
import type { DecodeProblem } from "../rest/decode-problem.ts";
import { decodeJsonText } from "../rest/json-fields.ts";
import { shown } from "../rest/shorten.ts";
import { enveloped, readEnvelope } from "./envelope.ts";
import { type BodyLimits, readWhole } from "./read-body.ts";

/** Parameters in the query of a Connect GET. */
const QUERY: readonly string[] = ["message", "encoding", "base64", "compression", "connect"];

/** Node would pass over every other character. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Fields that a message may have: what parsing costs grows with them, and all that a call takes has some hundreds at most. */
const MAX_FIELDS = 1_000;

/** Limits of a call's one message. */
export interface MessageLimits {
  /** Its bytes, before and after decompression. */
  readonly readMaxBytes: number;
  /** Milliseconds for its body to arrive in. */
  readonly bodyTimeoutMs: number;
}

/** The header in which a request says how its messages are compressed, and that in which an answer says what is read. */
export function compressionHeaders({ protocol, enveloped }: RpcFormat): readonly [encoding: string, accepted: string] {
  if (!enveloped) return ["content-encoding", "accept-encoding"];
  return protocol === "connect"
    ? ["connect-content-encoding", "connect-accept-encoding"]
    : ["grpc-encoding", "grpc-accept-encoding"];
}

/**
 * Reads the message of a call that has one before Connect does, so that every problem of it is known at once and told with the
 * same details on every protocol. A Connect GET comes back as if it had been posted.
 * @param format undefined for a GET
 * @throws SwapError
 */
export async function readMessage(
  request: UniversalServerRequest,
  format: RpcFormat | undefined,
  method: DescMethod,
  limits: MessageLimits,
): Promise<{ readonly request: UniversalServerRequest; readonly problems: readonly DecodeProblem[] }> {
  const read =
    format === undefined
      ? await readQuery(new URL(request.url).searchParams, limits)
      : { format, bytes: await readBytes(request, format, limits) };
  const { message, problems } = decode(read.bytes, read.format, method);
  const header = new Headers(request.header);
  header.set("content-type", read.format.contentType);
  return { request: withMessage({ ...request, method: "POST", header }, read.format, message), problems };
}

/** The one message in a body, decompressed. @throws SwapError */
async function readBytes(
  { header, body }: UniversalServerRequest,
  format: RpcFormat,
  { readMaxBytes: mostBytes, bodyTimeoutMs: timeoutMs }: MessageLimits,
): Promise<Uint8Array> {
  const limits = { mostBytes, timeoutMs };
  const isInGzip = isGzip(header.get(compressionHeaders(format)[0]));
  const bytes = body as AsyncIterable<Uint8Array>;
  if (!format.enveloped) {
    const whole = await readWhole(bytes, limits);
    return isInGzip ? gunzip(whole, mostBytes) : whole;
  }
  const given = format.base64 ? oneChunk(await fromBase64(bytes, limits)) : bytes;
  const { isCompressed, message } = await readEnvelope(given, limits);
  if (!isCompressed) return message;
  if (isInGzip) return gunzip(message, mostBytes);
  throw refuse(
    "COMPRESSED_WITHOUT_ENCODING",
    "the message is flagged as compressed, but no header names the compression - send gzip, and name it",
  );
}

/** The bytes behind a body of gRPC-Web in text. @throws SwapError */
async function fromBase64(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> {
  // Four characters stand for three bytes; a head and an empty group are within what is left over.
  const mostBytes = Math.ceil(limits.mostBytes / 3) * 4 + 16;
  const text = Buffer.from(await readWhole(body, { ...limits, mostBytes })).toString("latin1");
  if (BASE64.test(text)) return Buffer.from(text, "base64");
  throw refuse(
    "MALFORMED_BODY",
    "the body of application/grpc-web-text is not base64 - encode it, or send application/grpc-web",
  );
}

/** Connect GET: the message stands in the query. @throws SwapError */
async function readQuery(query: URLSearchParams, limits: MessageLimits) {
  checkQuery(query);
  const format = rpcFormatOf(`application/${query.get("encoding")}`);
  if (format === undefined) {
    throw refuse(
      "UNSUPPORTED_CONTENT_TYPE",
      `the parameter encoding must be json or proto, given: ${shown(query.get("encoding") ?? "")}`,
    );
  }
  const text = query.get("message") ?? "";
  const bytes = query.get("base64") === "1" ? Buffer.from(text, "base64url") : Buffer.from(text);
  return { format, bytes: isGzip(query.get("compression")) ? await gunzip(bytes, limits.readMaxBytes) : bytes };
}

/**
 * @param format undefined for a GET
 * @throws SwapError for what the headers of a call say that cannot be, or that this service does not do
 */
export function checkHeaders(header: Headers, format: RpcFormat | undefined): void {
  for (const [name, form, example] of TIMEOUTS) {
    const value = header.get(name);
    if (value !== null && !form.test(value)) {
      throw refuse("MALFORMED_TIMEOUT", `the header ${name} is malformed: ${shown(value)} - send ${example}`);
    }
  }
  if (format !== undefined) {
    const isInGzip = isGzip(header.get("content-encoding"));
    // A body that is compressed as a whole holds no envelopes.
    if (isInGzip && format.enveloped) throw unreadable("of the whole body");
    isGzip(header.get(compressionHeaders(format)[0]));
  }
  checkVersion("header connect-protocol-version", header.get("connect-protocol-version"), "1");
}

/** @throws SwapError for what the query of a Connect GET says besides its message */
function checkQuery(query: URLSearchParams): void {
  const names = [...query.keys()];
  const odd = names.find((name, at) => !QUERY.includes(name) || names.indexOf(name) !== at);
  if (odd !== undefined) {
    const what = `${shown(odd)} is no parameter of Connect GET, or is given twice - put the parameters of the call into message`;
    throw refuse("MALFORMED_BODY", what);
  }
  if (query.get("base64") === "1" && !BASE64.test(query.get("message") ?? "")) {
    throw refuse("MALFORMED_BODY", "the parameter message is not base64 - encode it, or leave out base64=1");
  }
  checkVersion("parameter connect", query.get("connect"), "v1");
}

function checkVersion(where: string, given: string | null, expected: string): void {
  if (given === null || given === expected) return;
  const message = `the ${where} names the unknown version ${shown(given)} of Connect - send ${expected}, or leave it out`;
  throw refuse("UNKNOWN_VERSION", message);
}

/** Whether what a header or parameter names is gzip. @throws SwapError when it is another compression */
function isGzip(coding: string | null): boolean {
  switch (coding?.toLowerCase()) {
    case undefined:
    case "identity":
      return false;
    case "gzip":
    case "x-gzip":
      return true;
    default:
      throw unreadable(shown(coding ?? ""));
  }
}

function unreadable(what: string): SwapError {
  return refuse("UNSUPPORTED_COMPRESSION", `the compression ${what} is not supported - send gzip, or none`);
}

/**
 * The message with what is wrong in it taken out.
 * @throws SwapError MALFORMED_BODY or BODY_TOO_LARGE
 */
function decode(
  bytes: Uint8Array,
  { json }: RpcFormat,
  { input }: DescMethod,
): { readonly message: Uint8Array | JsonObject; readonly problems: readonly DecodeProblem[] } {
  if (json) {
    const decoded = isUtf8(bytes)
      ? decodeJsonText(input, Buffer.from(bytes).toString())
      : { wrong: "is not a JSON object in UTF-8" };
    if ("json" in decoded) return { message: decoded.json, problems: decoded.problems };
    const what = `the body ${decoded.wrong} - send a JSON object whose fields are the parameters`;
    throw refuse("MALFORMED_BODY", what);
  }
  let isLong: boolean;
  try {
    isLong = hasMoreFields(bytes, MAX_FIELDS);
    if (!isLong) fromBinary(input, bytes);
  } catch (cause) {
    throw refuse(
      "MALFORMED_BODY",
      "the body is not the protobuf message that the method takes - encode that of swap.proto",
      { cause },
    );
  }
  if (isLong) {
    const what = `the message has more than ${MAX_FIELDS} fields and elements of lists - send the parameters only`;
    throw refuse("BODY_TOO_LARGE", what);
  }
  return { message: bytes, problems: [] };
}

/** Whether a message has more than `most` fields, elements of lists counted; found out at a tenth of what parsing costs. */
function hasMoreFields(bytes: Uint8Array, most: number): boolean {
  const reader = new BinaryReader(bytes);
  for (let count = 0; reader.pos < reader.len; count++) {
    if (count === most) return true;
    const [field, wireType] = reader.tag();
    reader.skip(wireType, field);
  }
  return false;
}

/** The request with another message in it, which is not compressed. */
function withMessage(
  request: UniversalServerRequest,
  format: RpcFormat,
  message: Uint8Array | JsonObject,
): UniversalServerRequest {
  const header = new Headers(request.header);
  for (const name of ["content-length", compressionHeaders(format)[0]]) header.delete(name);
  if (format.json && !format.enveloped) return { ...request, header, body: message as JsonObject };
  const bytes = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  return { ...request, header, body: oneChunk(format.enveloped ? enveloped(bytes) : bytes) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
