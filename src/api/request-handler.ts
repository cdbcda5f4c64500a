import { Http2ServerResponse } from "node:http2";
import { refuse, type SwapError } from "../domain/errors/swap-error.ts";
import type { AccessLog } from "./access-log.ts";
import { Admission, type AdmissionParts } from "./admission.ts";
import type { Exchange, ProtocolName } from "./calls/call.ts";
import type { CallRunner } from "./calls/call-runner.ts";
import type { Handler, Visit } from "./connections/listener.ts";
import type { PageMaker } from "./docs/page.ts";
import type { Compressor } from "./http/compression.ts";
import { grpcTypeOf } from "./http/content-types.ts";
import { applyCors } from "./http/cors.ts";
import { dropUnreadBody } from "./http/drop-unread-body.ts";
import type { Request, Response } from "./http/messages.ts";
import { requestIdOf } from "./http/request-id.ts";
import { sendPage, sendRefusal } from "./http/send.ts";
import { serviceOrigin } from "./http/service-origin.ts";
import { sendErrorsAsTrailersOnly } from "./http/trailers-only.ts";
import { shown } from "./rest/shorten.ts";
import type { RestService } from "./rest-service.ts";
import type { RpcService } from "./rpc/rpc-service.ts";

/** No page elsewhere may put one of ours in a frame and have its buttons pressed; a page's own policy cannot say that. */
const PAGE_HEADERS = [
  ["content-security-policy", "frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
] as const;

/** Parts that answer requests. */
interface HandlerOptions extends AdmissionParts {
  readonly rest: RestService;
  readonly rpc: RpcService;
  readonly operations: { find(path: string): PageMaker | undefined };
  readonly runner: CallRunner;
  readonly corsOrigins: readonly string[];
  readonly compressor: Compressor;
  readonly accessLog: AccessLog;
}

/** Decides what each HTTP request is, and sees to it that it is answered, whatever happens. */
export function createRequestHandler(options: HandlerOptions): Handler {
  const { rest, rpc, operations, runner } = options;
  const admission = new Admission(options);

  const dispatch = async (request: Request, response: Response, exchange: Exchange, visit: Visit): Promise<void> => {
    const caller = admission.identify(request, response, exchange, visit);
    checkHost(request);
    const path = (request.url ?? "").split("?", 1)[0]!;
    const httpMethod = request.method ?? "";
    const called = rpc.find(path);
    if (called !== undefined) {
      exchange.protocol = rpcProtocol(request);
      if (!called.allow.includes(httpMethod)) throw notAllowed(request, response, called.allow.join(", "));
      await admission.admit(request, response, exchange, { method: called.method, visit, caller });
      if (exchange.protocol === "grpc" && response instanceof Http2ServerResponse) sendErrorsAsTrailersOnly(response);
      return within(exchange, () => rpc.handle(request, response, exchange));
    }
    const route = rest.find(httpMethod, path);
    if (route !== undefined) {
      exchange.protocol = "rest";
      if ("allow" in route) throw notAllowed(request, response, route.allow);
      await admission.admit(request, response, exchange, { method: route.method, visit, caller });
      return within(exchange, () => rest.handle(request, response, exchange, route));
    }
    const page = operations.find(path);
    if (page === undefined) throw nothingServed(path);
    exchange.operation = path;
    return servePage(request, response, page, options.compressor);
  };

  return (request, response, visit) => {
    const exchange = beginExchange(request, response);
    options.accessLog.watch(request, response, exchange);
    response.on("error", () => {});
    dropUnreadBody(request, response);
    const refuse = (thrown: unknown) => {
      // There is nobody to answer, and what broke with the connection is no defect.
      if (isGone(request, response)) return;
      refuseIfHeard(request, response, runner.refusalFor(thrown, exchange), exchange);
    };
    try {
      response.setHeader("x-request-id", exchange.requestId);
      // Prices of a block that is over by the next request: neither a browser nor a proxy keeps what a GET was answered.
      response.setHeader("cache-control", "no-store");
      if (applyCors(request, response, options.corsOrigins)) {
        exchange.operation = "preflight";
        admission.identify(request, response, exchange, visit);
      } else dispatch(request, response, exchange, visit).catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
}

function refuseIfHeard(request: Request, response: Response, refusal: SwapError, exchange: Exchange): void {
  try {
    sendRefusal(request, response, refusal, exchange);
  } catch {
    // Nobody is there to read it: the connection broke while the answer was written.
    response.destroy();
  }
}

/** @throws SwapError where the request is none for a page */
function servePage(
  request: Request,
  response: Response,
  page: PageMaker,
  compressor: Compressor,
): void | Promise<void> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead) throw notAllowed(request, response, "GET, HEAD");
  for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
  return sendPage(request, response, page(serviceOrigin(request)), compressor);
}

function beginExchange(request: Request, response: Response): Exchange {
  return {
    requestId: requestIdOf(request.headers["x-request-id"]),
    startedAt: performance.now(),
    protocol: "http",
    operation: "unknown",
    problems: [],
    addHeaders(headers) {
      if (response.headersSent || response.destroyed) return;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
    cut: () => void response.destroy(),
  };
}

/** Answers within the span of a call, where it has one. */
function within({ span }: Exchange, answer: () => Promise<void>): Promise<void> {
  return span === undefined ? answer() : span.within(answer);
}

/** Whether the caller has left. Its body breaks off before the answer is closed. */
function isGone(request: Request, response: Response): boolean {
  if (response.destroyed || response.closed || request.socket.destroyed) return true;
  return "stream" in response && (response.stream.aborted || response.stream.closed);
}

function rpcProtocol(request: Request): ProtocolName {
  const type = grpcTypeOf(request.headers["content-type"]);
  if (type === undefined) return "connect";
  return type.startsWith("application/grpc-web") ? "grpc-web" : "grpc";
}

function nothingServed(path: string): SwapError {
  const paths = ["price", "price/stream", "ladder", "prices", "quote", "sources", "tokens", "chain"]
    .map((call) => `/swap/v1/${call}`)
    .join(", ");
  const calls = `${paths} and the methods of /swap.v1.SwapService`;
  return refuse("NOT_FOUND", `nothing is served at ${shown(path)} - check the spelling, calls are at ${calls}`);
}

/** @throws SwapError unless a request of HTTP/1.1 has one Host header, and others no more than one (RFC 9112, section 3.2) */
function checkHost({ httpVersion, rawHeaders }: Request): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== "1.1")) return;
  const what = hosts === 0 ? "is missing - send the name of the service in it" : "is sent twice - send it once";
  throw refuse("MALFORMED_REQUEST", `the Host header ${what}`);
}

function notAllowed({ method }: Request, response: Response, allow: string): SwapError {
  response.setHeader("allow", allow);
  return refuse("METHOD_NOT_ALLOWED", `this path does not accept ${method} - send ${allow}`);
}
