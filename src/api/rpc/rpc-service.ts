import type { DescMethod } from "@bufbuild/protobuf";
import {
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { SwapError } from "../../domain/swap-error.ts";
import type { Call, Exchange } from "../calls/call.ts";
import type { CallRunner } from "../calls/call-runner.ts";
import type { SwapCalls } from "../calls/swap-service.ts";
import { shortenTimeouts } from "../calls/timeouts.ts";
import { toConnectError } from "../errors/rpc-error.ts";
import type { Request, Response } from "../http/listener.ts";
import { type MessageLimits, readMessage } from "./read-message.ts";

/** Where a handler finds the request that it answers. */
export const EXCHANGE = createContextKey<Exchange | undefined>(undefined);

/** HTTP status of an answer to a content type that no protocol knows. */
const UNSUPPORTED = 415;

/** gRPC, gRPC-Web and Connect for the swap service and whatever `more` registers. */
export interface RpcService {
  /** Whether a path is served, and by which HTTP methods. */
  find(path: string): { readonly allow: readonly string[]; readonly method: DescMethod } | undefined;
  handle(request: Request, response: Response, exchange: Exchange): Promise<void>;
}

export function createRpcService(options: {
  readonly calls: SwapCalls;
  readonly runner: CallRunner;
  readonly limits: MessageLimits;
  readonly more: readonly ((router: ConnectRouter) => void)[];
}): RpcService {
  const { calls, runner, limits } = options;
  const router = createConnectRouter({
    readMaxBytes: limits.readMaxBytes,
    // Neither reading nor writing compressed messages: they are small, and a bomb cannot be sent.
    acceptCompression: [],
    jsonOptions: { ignoreUnknownFields: false, alwaysEmitImplicit: true },
  });
  const through = <I, O>(method: (request: I, call: Call) => Promise<O>) => {
    return async (request: I, context: HandlerContext): Promise<O> => {
      const exchange = context.values.get(EXCHANGE);
      if (exchange === undefined) throw new Error("a call without its exchange");
      try {
        const caller = { gone: context.signal, timeoutMs: context.timeoutMs() };
        return await runner.run(exchange, caller, (call) => method(request, call));
      } catch (refusal) {
        throw toConnectError(refusal as SwapError, exchange.requestId, exchange.protocol === "grpc");
      }
    };
  };
  const streaming = <I, O>(method: (request: I, call: Call) => AsyncIterable<O>) => {
    return async function* (request: I, context: HandlerContext): AsyncGenerator<O, void, undefined> {
      const exchange = context.values.get(EXCHANGE);
      if (exchange === undefined) throw new Error("a call without its exchange");
      try {
        const caller = { gone: context.signal, timeoutMs: context.timeoutMs() };
        yield* runner.stream(exchange, caller, (call) => method(request, call));
      } catch (refusal) {
        throw toConnectError(refusal as SwapError, exchange.requestId, exchange.protocol === "grpc");
      }
    };
  };
  router.service(SwapService, {
    getPrice: through(calls.getPrice),
    getQuote: through(calls.getQuote),
    listSources: through(calls.listSources),
    watchPrice: streaming(calls.watchPrice),
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
      const values = createContextValues().set(EXCHANGE, exchange);
      const incoming = universalRequestOf(request, response, values);
      shortenTimeouts(incoming.header);
      const outgoing =
        handler.method.methodKind === "unary" || handler.method.methodKind === "server_streaming"
          ? await handler(await readMessage(incoming, handler.method, exchange, limits))
          : await handler(incoming);
      if (outgoing.status === UNSUPPORTED) {
        throw unsupportedContentType(handler.method);
      }
      await universalResponseToNodeResponse(outgoing, response);
      exchange.failure ??= protocolFailure(outgoing);
    },
  };
}

function universalRequestOf(request: Request, response: Response, values: ContextValues) {
  try {
    return universalRequestFromNodeRequest(request, response, undefined, values);
  } catch (cause) {
    // The Host header or :authority is no host: nobody but an attacker sends such a thing.
    throw new SwapError(
      "MALFORMED_BODY",
      "the Host header or the path is malformed - send the address of the service as it is",
      {
        reason: "MALFORMED_REQUEST",
        cause,
      },
    );
  }
}

function unsupportedContentType({ methodKind }: DescMethod): SwapError {
  const types = methodKind === "unary" ? "application/json, application/proto" : "application/connect+json";
  const instead = `send ${types}, or a content type of gRPC or gRPC-Web`;
  return new SwapError("UNSUPPORTED_CONTENT_TYPE", `the content type is none that this method takes - ${instead}`);
}

/** What Connect itself refused: calls that break the rules of their protocol. */
function protocolFailure({ status, trailer }: UniversalServerResponse): string | undefined {
  const grpcStatus = trailer?.get("grpc-status") ?? "0";
  return status >= 400 || grpcStatus !== "0" ? "PROTOCOL_ERROR" : undefined;
}
