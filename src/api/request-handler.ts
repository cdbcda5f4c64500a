import { Http2ServerResponse } from "node:http2";
import type { DescMethod } from "@bufbuild/protobuf";
import { SwapError } from "../domain/swap-error.ts";
import { beginCall } from "../ops/spans.ts";
import type { AccessLog } from "./access-log.ts";
import type { Exchange, ProtocolName } from "./calls/call.ts";
import type { CallRunner } from "./calls/call-runner.ts";
import { applyCors } from "./http/cors.ts";
import { dropUnreadBody } from "./http/drop-unread-body.ts";
import type { Request, Response } from "./http/listener.ts";
import type { Page } from "./http/page.ts";
import { requestIdOf } from "./http/request-id.ts";
import { sendBody, sendRefusal } from "./http/send.ts";
import { sendErrorsAsTrailersOnly } from "./http/trailers-only.ts";
import { authenticate, authorize } from "./keys/authorize.ts";
import type { KeyStore } from "./keys/key-store.ts";
import type { ChargeCall } from "./limits/charge.ts";
import type { WrongKeys } from "./limits/wrong-keys.ts";
import type { RestService } from "./rest-service.ts";
import type { RpcService } from "./rpc/rpc-service.ts";

/** Services whose calls need no key: health and reflection. */
const OPEN_SERVICES = /^grpc\./;

/** No page elsewhere may put one of ours in a frame and have its buttons pressed; a page's own policy cannot say that. */
const PAGE_HEADERS = [
  ["content-security-policy", "frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
] as const;

/** Decides what each HTTP request is, and sees to it that it is answered, whatever happens. */
export function createRequestHandler(options: {
  readonly rest: RestService;
  readonly rpc: RpcService;
  readonly operations: { find(path: string): (() => Page) | undefined };
  readonly runner: CallRunner;
  readonly keys: KeyStore;
  readonly wrongKeys: WrongKeys;
  readonly charge: ChargeCall;
  readonly corsOrigins: readonly string[];
  readonly accessLog: AccessLog;
}): (request: Request, response: Response) => void {
  const { rest, rpc, operations, runner, keys, wrongKeys, charge } = options;

  /** Notes who calls and charges for it, or notes why the call is refused. */
  const admit = async (request: Request, response: Response, exchange: Exchange, method: DescMethod) => {
    const { protocol, requestId } = exchange;
    exchange.operation = `${method.parent.typeName}/${method.name}`;
    if (OPEN_SERVICES.test(method.parent.typeName)) return;
    exchange.span = beginCall(exchange.operation, request.headers, { protocol, requestId });
    const key = request.headers["api-key"];
    const { origin } = request.headers;
    const keyText = Array.isArray(key) ? key.join() : key;
    exchange.method = method.name;
    const lookUp = () => authenticate(keys, keyText);
    exchange.recheck = () => authorize(lookUp(), { method: method.name, origin });
    try {
      const account = keyText ? wrongKeys.guard(keyText, () => addressOf(request), lookUp) : lookUp();
      exchange.account = account;
      authorize(account, { method: method.name, origin });
      const charging = charge(account, method.name);
      const charged = charging instanceof Promise ? await charging : charging;
      exchange.units = charged.units;
      setHeaders(response, charged.headers);
      exchange.settle = async (steps) => {
        const { units, headers } = await charged.settle(steps);
        exchange.units = charged.units + units;
        if (!response.headersSent && !response.destroyed) setHeaders(response, headers);
      };
      if (charged.refusal !== undefined) exchange.refusal = charged.refusal;
    } catch (error) {
      if (!(error instanceof SwapError)) throw error;
      exchange.refusal = error;
    }
  };

  const dispatch = async (request: Request, response: Response, exchange: Exchange): Promise<void> => {
    checkHost(request);
    const path = (request.url ?? "").split("?", 1)[0]!;
    const httpMethod = request.method ?? "";
    const called = rpc.find(path);
    if (called !== undefined) {
      exchange.protocol = rpcProtocol(request);
      if (!called.allow.includes(httpMethod)) throw notAllowed(response, called.allow.join(", "));
      await admit(request, response, exchange, called.method);
      if (exchange.protocol === "grpc" && response instanceof Http2ServerResponse) sendErrorsAsTrailersOnly(response);
      const answer = () => rpc.handle(request, response, exchange);
      return exchange.span === undefined ? answer() : exchange.span.within(answer);
    }
    const route = rest.find(httpMethod, path);
    if (route !== undefined) {
      exchange.protocol = "rest";
      if ("allow" in route) throw notAllowed(response, route.allow);
      await admit(request, response, exchange, route.method);
      const answer = () => rest.handle(request, response, exchange, route);
      return exchange.span === undefined ? answer() : exchange.span.within(answer);
    }
    const page = operations.find(path);
    if (page === undefined) throw nothingServed();
    exchange.operation = path;
    if (httpMethod !== "GET" && httpMethod !== "HEAD") throw notAllowed(response, "GET, HEAD");
    for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
    sendBody(request, response, page());
  };

  return (request, response) => {
    const requestId = requestIdOf(request.headers["x-request-id"]);
    const exchange: Exchange = {
      requestId,
      startedAt: performance.now(),
      protocol: "http",
      operation: "unknown",
      problems: [],
      cut: () => void response.destroy(),
    };
    options.accessLog.watch(request, response, exchange);
    response.on("error", () => {});
    dropUnreadBody(request, response);
    const refuse = (thrown: unknown) => {
      // The caller is gone: there is nobody to answer, and no defect.
      if (response.destroyed || response.closed) return;
      const refusal = runner.refusalFor(thrown, exchange);
      try {
        sendRefusal(request, response, refusal, exchange);
      } catch {
        // Nobody is there to read it: the connection broke while the answer was written.
        response.destroy();
      }
    };
    try {
      response.setHeader("x-request-id", requestId);
      // Prices of a block that is over by the next request: neither a browser nor a proxy keeps what a GET was answered.
      response.setHeader("cache-control", "no-store");
      if (applyCors(request, response, options.corsOrigins)) exchange.operation = "preflight";
      else dispatch(request, response, exchange).catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** The network address that a request came from, as the socket has it: behind a proxy, the proxy's. */
function addressOf(request: Request): string {
  return request.socket.remoteAddress ?? "";
}

function rpcProtocol(request: Request): ProtocolName {
  const contentType = request.headers["content-type"] ?? "";
  if (/^application\/grpc-web/i.test(contentType)) return "grpc-web";
  return /^application\/grpc/i.test(contentType) ? "grpc" : "connect";
}

function nothingServed(): SwapError {
  const paths = ["price", "price/stream", "quote", "sources"].map((call) => `/swap/v1/${call}`).join(", ");
  const calls = `${paths} and the methods of /swap.v1.SwapService`;
  return new SwapError("NOT_FOUND", `nothing is served at this path - check its spelling, calls are at ${calls}`);
}

/** @throws SwapError unless a request of HTTP/1.1 has one Host header, and others no more than one (RFC 9112, section 3.2) */
function checkHost({ httpVersion, rawHeaders }: Request): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== "1.1")) return;
  const what = hosts === 0 ? "is missing - send the name of the service in it" : "stands twice - send it once";
  throw new SwapError("MALFORMED_BODY", `the Host header ${what}`, { reason: "MALFORMED_REQUEST" });
}

function notAllowed(response: Response, allow: string): SwapError {
  response.setHeader("allow", allow);
  return new SwapError("METHOD_NOT_ALLOWED", `this path takes ${allow} only`);
}
