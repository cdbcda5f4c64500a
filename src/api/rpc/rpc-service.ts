import type { DescMessage, DescMethod, Message, MessageInitShape } from "@bufbuild/protobuf";
import {
  type ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Call, Exchange } from "../calls/call.ts";
import type { CallRunner } from "../calls/call-runner.ts";
import type { DeprecationHeaders } from "../calls/deprecation.ts";
import type { SwapCalls } from "../calls/swap-service.ts";
import { shortenTimeouts } from "../calls/timeouts.ts";
import type { TokenCalls } from "../calls/token-service.ts";
import { toConnectError } from "../errors/rpc-error.ts";
import { type Compressor, gunzip, gzip, isGzipWanted } from "../http/compression.ts";
import { type RpcFormat, rpcFormatOf } from "../http/content-types.ts";
import type { Request, Response } from "../http/messages.ts";
import { invalidParameters, violationOf } from "../parameters/parse-request.ts";
import { shown } from "../rest/shorten.ts";
import { encodedOnce } from "./encoded-once.ts";
import { checkHeaders, compressionHeaders, type MessageLimits, readMessage } from "./read-message.ts";

/** Key under which a handler finds the request that it answers. */
export const EXCHANGE = createContextKey<Exchange | undefined>(undefined);

/** HTTP status of an answer to a content type that no protocol knows. */
const UNSUPPORTED = 415;

/** Request codings that are read, told to callers that used another. */
const READ_CODINGS = "gzip, identity";

/** The largest number of bytes that Connect takes for the least that it compresses. */
const NEVER = 0xffffffff;

/** gRPC, gRPC-Web and Connect for the swap service and whatever `more` registers. */
export interface RpcService {
  /** Whether a path is served, and by which HTTP methods. */
  find(path: string): { readonly allow: readonly string[]; readonly method: DescMethod } | undefined;
  handle(request: Request, response: Response, exchange: Exchange): Promise<void>;
}

/** Options for answering calls. */
interface RpcOptions {
  readonly calls: SwapCalls & TokenCalls;
  readonly runner: CallRunner;
  readonly limits: MessageLimits;
  readonly compressor: Compressor;
  readonly deprecation: DeprecationHeaders;
  readonly more: readonly ((router: ConnectRouter) => void)[];
}

export function createRpcService(options: RpcOptions): RpcService {
  const { calls, runner, limits, compressor } = options;
  const router = createConnectRouter({
    readMaxBytes: limits.readMaxBytes,
    acceptCompression: [{ name: "gzip", compress: gzip, decompress: gunzip }],
    compressMinBytes: Math.min(compressor.from, NEVER),
    jsonOptions: { ignoreUnknownFields: false, alwaysEmitImplicit: true },
    requestGate({ values }) {
      const exchange = exchangeIn(values);
      const refusal = exchange.refusal ?? problemsOfOpenCall(exchange);
      if (refusal !== undefined) throw told(runner.refusalFor(refusal, exchange), exchange);
    },
  });
  const { through, streaming } = handlersOf(runner, options.deprecation);
  router.service(SwapService, {
    getPrice: through(calls.getPrice),
    getPriceLadder: through(calls.getPriceLadder),
    batchGetPrices: through(calls.batchGetPrices),
    getQuote: through(calls.getQuote),
    listSources: through(calls.listSources),
    listTokens: through(calls.listTokens),
    getChain: through(calls.getChain),
    watchPrice: streaming(SwapService.method.watchPrice, calls.watchPrice),
  });
  for (const register of options.more) register(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return {
    find(path) {
      const handler = handlers.get(path);
      if (handler === undefined) return undefined;
      return { allow: handler.allowedMethods, method: handler.method };
    },
    async handle(request, response, exchange) {
      const path = (request.url ?? "").split("?", 1)[0]!;
      const handler = handlers.get(path)!;
      const { method } = handler;
      const format = formatOf(request, method);
      const values = createContextValues().set(EXCHANGE, exchange);
      const incoming = universalRequestOf(request, response, values);
      if (format !== undefined) incoming.header.set("content-type", format.contentType);
      shortenTimeouts(incoming.header);
      const read = await readCall(incoming, exchange, { format, method, limits });
      if (exchange.refusal?.kind === "UNSUPPORTED_COMPRESSION") {
        response.setHeader(format === undefined ? "accept-encoding" : compressionHeaders(format)[1], READ_CODINGS);
      }
      negotiate(request, response, read.header, { format, method, from: compressor.from });
      const answer = await handler(read);
      const outgoing = format?.base64 === true ? inBase64(answer) : answer;
      if (outgoing.status === UNSUPPORTED) throw unsupportedContentType(method, request);
      await universalResponseToNodeResponse(outgoing, response);
      exchange.failure ??= protocolFailure(outgoing);
    },
  };
}

/** Methods of the service as Connect calls them. */
function handlersOf(runner: CallRunner, deprecation: DeprecationHeaders) {
  const tellDeprecation = (request: Message, { method, values }: HandlerContext) => {
    const headers = deprecation(method, request);
    if (headers !== undefined) exchangeIn(values).addHeaders(headers);
  };
  const through = <I extends Message, O>(method: (request: I, call: Call) => Promise<O>) => {
    return async (request: I, context: HandlerContext): Promise<O> => {
      const exchange = exchangeIn(context.values);
      tellDeprecation(request, context);
      try {
        const caller = { gone: context.signal, timeoutMs: context.timeoutMs() };
        return await runner.run(exchange, caller, (call) => method(request, call));
      } catch (refusal) {
        throw told(refusal as SwapError, exchange);
      }
    };
  };
  const streaming = <I extends Message, O extends DescMessage>(
    { output }: { readonly output: O },
    method: (request: I, call: Call) => AsyncIterable<MessageInitShape<O>>,
  ) => {
    const encoded = encodedOnce(output);
    return async function* (request: I, context: HandlerContext): AsyncGenerator<MessageInitShape<O>, void, undefined> {
      const exchange = exchangeIn(context.values);
      tellDeprecation(request, context);
      try {
        const caller = { gone: context.signal, timeoutMs: context.timeoutMs() };
        const messages = runner.stream(exchange, caller, (call) => method(request, call));
        if (rpcFormatOf(context.requestHeader.get("content-type") ?? undefined)?.json === true) return yield* messages;
        for await (const message of messages) yield encoded(message);
      } catch (refusal) {
        throw told(refusal as SwapError, exchange);
      }
    };
  };
  return { through, streaming };
}

function exchangeIn(values: ContextValues): Exchange {
  const exchange = values.get(EXCHANGE);
  if (exchange === undefined) throw new Error("a call without its exchange");
  return exchange;
}

/** A refusal as the caller's protocol tells it. */
function told(refusal: SwapError, { protocol, requestId }: Exchange): ConnectError {
  return toConnectError(refusal, requestId, protocol === "grpc" || protocol === "grpc-web" ? protocol : "connect");
}

/** Calls that need no key have nobody else to look at what is wrong with their fields. */
function problemsOfOpenCall({ method, problems }: Exchange): SwapError | undefined {
  return method === undefined && problems.length > 0 ? invalidParameters(problems.map(violationOf)) : undefined;
}

/** Format of a call; undefined for a GET. @throws SwapError for content types that are not read */
function formatOf(request: Request, method: DescMethod): RpcFormat | undefined {
  if (request.method === "GET") return undefined;
  const format = rpcFormatOf(request.headers["content-type"]);
  if (format === undefined) throw unsupportedContentType(method, request);
  if (format.unreadable !== undefined) {
    const what = `the charset ${shown(format.unreadable)} is not accepted - send ${format.contentType} in UTF-8`;
    throw refuse("UNSUPPORTED_CONTENT_TYPE", what);
  }
  return format;
}

/** Setting for reading a call's message. */
interface Reading {
  readonly format: RpcFormat | undefined;
  readonly method: DescMethod;
  readonly limits: MessageLimits;
}

/** The call with its message read, if it has one; else as it was, with the reason for that noted down. */
async function readCall(
  incoming: UniversalServerRequest,
  exchange: Exchange,
  { format, method, limits }: Reading,
): Promise<UniversalServerRequest> {
  // A refused call is answered without looking at its body.
  if (exchange.refusal !== undefined) return unread(incoming, format);
  try {
    checkHeaders(incoming.header, format);
    if (method.methodKind !== "unary" && method.methodKind !== "server_streaming") return incoming;
    const { request, problems } = await readMessage(incoming, format, method, limits);
    exchange.problems = problems;
    return request;
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    exchange.refusal = error;
    return unread(incoming, format);
  }
}

/** A refused call as Connect lets it come as far as its refusal: a GET may have a query that is none. */
function unread(incoming: UniversalServerRequest, format: RpcFormat | undefined): UniversalServerRequest {
  if (format !== undefined) return incoming;
  const header = new Headers(incoming.header);
  header.set("content-type", "application/json");
  return { ...incoming, method: "POST", header };
}

/**
 * Says in the headers of a call, as Connect reads them, whether its answer may be compressed. Streams are not: each of their
 * messages would be compressed anew for each of their readers.
 */
function negotiate(
  { headers }: Request,
  response: Response,
  header: Headers,
  {
    format,
    method,
    from,
  }: { readonly format: RpcFormat | undefined; readonly method: DescMethod; readonly from: number },
): void {
  const accepted = format === undefined ? "accept-encoding" : compressionHeaders(format)[1];
  if (method.methodKind !== "unary") return void header.set(accepted, "identity");
  if (accepted !== "accept-encoding") {
    if (from === Number.POSITIVE_INFINITY) header.set(accepted, "identity");
    return;
  }
  response.appendHeader("vary", "accept-encoding");
  header.set(accepted, isGzipWanted(headers, Number.MAX_SAFE_INTEGER, from) ? "gzip" : "identity");
}

/** An answer of gRPC-Web in text: each part as base64 of its own, so that none waits for the next. */
function inBase64(answer: UniversalServerResponse): UniversalServerResponse {
  const contentType = answer.header?.get("content-type") ?? "";
  answer.header?.set("content-type", contentType.replace("grpc-web", "grpc-web-text"));
  return answer.body === undefined ? answer : { ...answer, body: base64Of(answer.body) };
}

async function* base64Of(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) yield Buffer.from(Buffer.from(part).toString("base64"));
}

function universalRequestOf(request: Request, response: Response, values: ContextValues) {
  try {
    return universalRequestFromNodeRequest(request, response, undefined, values);
  } catch (cause) {
    // The Host header or :authority is no host: nobody but an attacker sends such a thing.
    throw refuse(
      "MALFORMED_REQUEST",
      "the Host header or the path is malformed - send the address of the service as it is",
      { cause },
    );
  }
}

function unsupportedContentType({ methodKind }: DescMethod, { headers }: Request): SwapError {
  const types = methodKind === "unary" ? "application/json, application/proto" : "application/connect+json";
  const instead = `send ${types}, or a content type of gRPC or gRPC-Web`;
  const given = headers["content-type"];
  const what =
    given === undefined ? "no content type was sent" : `this method does not accept the content type ${shown(given)}`;
  return refuse("UNSUPPORTED_CONTENT_TYPE", `${what} - ${instead}`);
}

/** Reason for which Connect itself refused a call that breaks the rules of its protocol. */
function protocolFailure({ status, trailer }: UniversalServerResponse): string | undefined {
  const grpcStatus = trailer?.get("grpc-status") ?? "0";
  return status >= 400 || grpcStatus !== "0" ? "PROTOCOL_ERROR" : undefined;
}
