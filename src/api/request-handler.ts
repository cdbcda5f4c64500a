import { Http2ServerResponse } from "node:http2";
import type { DescMethod } from "@bufbuild/protobuf";
import { refuse, SwapError } from "../domain/errors/swap-error.ts";
import { beginCall } from "../ops/spans.ts";
import type { AccessLog } from "./access-log.ts";
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
import { authenticate, authorize } from "./keys/authorize.ts";
import type { Account, KeyStore } from "./keys/key-store.ts";
import type { ChargeCall } from "./limits/charge.ts";
import type { Keyless } from "./limits/keyless.ts";
import type { WrongKeys } from "./limits/wrong-keys.ts";
import type { RestService } from "./rest-service.ts";
import type { RpcService } from "./rpc/rpc-service.ts";

/** Services whose calls need no key: health and reflection. */
const OPEN_SERVICES = /^grpc\./;

/** Pages that whoever runs the service looks at all the time. */
const PROBES = /^\/(livez|readyz)(\?|$)/;

/** A call that its method is known of, with who makes it. */
interface Admitted {
  readonly method: DescMethod;
  readonly visit: Visit;
  readonly caller: { readonly lookUp: () => Account; refusal?: SwapError };
}

/** No page elsewhere may put one of ours in a frame and have its buttons pressed; a page's own policy cannot say that. */
const PAGE_HEADERS = [
  ["content-security-policy", "frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
] as const;

/** Decides what each HTTP request is, and sees to it that it is answered, whatever happens. */
export function createRequestHandler(options: {
  readonly rest: RestService;
  readonly rpc: RpcService;
  readonly operations: { find(path: string): PageMaker | undefined };
  readonly runner: CallRunner;
  readonly keys: KeyStore;
  readonly wrongKeys: WrongKeys;
  readonly keyless: Keyless;
  readonly charge: ChargeCall;
  readonly corsOrigins: readonly string[];
  readonly compressor: Compressor;
  readonly accessLog: AccessLog;
}): Handler {
  const { rest, rpc, operations, runner, keys, wrongKeys, keyless, charge } = options;

  /**
   * Notes whose key a request brings. One without a valid key is charged to its network, whatever it asks for.
   * @throws SwapError when the network has sent too many of these
   */
  const identify = (request: Request, response: Response, exchange: Exchange, visit: Visit) => {
    const { network } = visit;
    const key = request.headers["api-key"];
    const keyText = Array.isArray(key) ? key.join() : key;
    const caller: Admitted["caller"] = { lookUp: () => authenticate(keys, keyText) };
    exchange.chargeKeyless = (kind) => {
      try {
        if (visit.isResetting()) throw tooManyResets();
        keyless.charge(network, kind);
      } catch (refusal) {
        visit.endWith(response);
        throw refusal;
      }
    };
    if (keyText) {
      try {
        exchange.account = wrongKeys.guard(network, caller.lookUp);
        visit.welcome(exchange.account.keyId);
        return caller;
      } catch (error) {
        if (!(error instanceof SwapError)) throw error;
        caller.refusal = error;
      }
    }
    exchange.chargeKeyless(PROBES.test(request.url ?? "") ? "probe" : "page");
    return caller;
  };

  /** Counts a stream that stays open. @throws SwapError when there is no room for it */
  const openStream = (response: Response, method: DescMethod, { connection, network }: Visit) => {
    if (method.methodKind === "unary") return;
    const needsKey = !isOpen(method);
    response.once("close", keyless.openStream({ connection: connection.id, network, needsKey }));
    if (!needsKey) connection.beginKeylessStream(response);
  };

  /** Charges for a call and counts what it opens, or notes why it is refused. */
  const admit = async (
    request: Request,
    response: Response,
    exchange: Exchange,
    { method, visit, caller }: Admitted,
  ) => {
    const { protocol, requestId } = exchange;
    exchange.operation = `${method.parent.typeName}/${method.name}`;
    if (isOpen(method)) {
      if (method.methodKind !== "unary") exchange.chargeKeyless?.("stream");
      return openStream(response, method, visit);
    }
    exchange.span = beginCall(exchange.operation, request.headers, { protocol, requestId });
    exchange.method = method.name;
    const { origin } = request.headers;
    exchange.recheck = () => authorize(caller.lookUp(), { method: method.name, origin });
    try {
      if (caller.refusal !== undefined) throw caller.refusal;
      const account = exchange.account ?? caller.lookUp();
      authorize(account, { method: method.name, origin });
      openStream(response, method, visit);
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

  const dispatch = async (request: Request, response: Response, exchange: Exchange, visit: Visit): Promise<void> => {
    const caller = identify(request, response, exchange, visit);
    checkHost(request);
    const path = (request.url ?? "").split("?", 1)[0]!;
    const httpMethod = request.method ?? "";
    const called = rpc.find(path);
    if (called !== undefined) {
      exchange.protocol = rpcProtocol(request);
      if (!called.allow.includes(httpMethod)) throw notAllowed(response, called.allow.join(", "));
      await admit(request, response, exchange, { method: called.method, visit, caller });
      if (exchange.protocol === "grpc" && response instanceof Http2ServerResponse) sendErrorsAsTrailersOnly(response);
      const answer = () => rpc.handle(request, response, exchange);
      return exchange.span === undefined ? answer() : exchange.span.within(answer);
    }
    const route = rest.find(httpMethod, path);
    if (route !== undefined) {
      exchange.protocol = "rest";
      if ("allow" in route) throw notAllowed(response, route.allow);
      await admit(request, response, exchange, { method: route.method, visit, caller });
      const answer = () => rest.handle(request, response, exchange, route);
      return exchange.span === undefined ? answer() : exchange.span.within(answer);
    }
    const page = operations.find(path);
    if (page === undefined) throw nothingServed();
    exchange.operation = path;
    if (httpMethod !== "GET" && httpMethod !== "HEAD") throw notAllowed(response, "GET, HEAD");
    for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
    return sendPage(request, response, page(serviceOrigin(request)), options.compressor);
  };

  return (request, response, visit) => {
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
      // There is nobody to answer, and what broke with the connection is no defect.
      if (isGone(request, response)) return;
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
      if (applyCors(request, response, options.corsOrigins)) {
        exchange.operation = "preflight";
        identify(request, response, exchange, visit);
      } else dispatch(request, response, exchange, visit).catch(refuse);
    } catch (thrown) {
      refuse(thrown);
    }
  };
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function tooManyResets(): SwapError {
  const message =
    "too many HTTP/2 streams were reset or refused from this network address - wait for answers, or send a key";
  return refuse("TOO_MANY_RESETS", message);
}

/** Whether the caller has left. Its body breaks off before the answer is closed. */
function isGone(request: Request, response: Response): boolean {
  if (response.destroyed || response.closed || request.socket.destroyed) return true;
  return "stream" in response && (response.stream.aborted || response.stream.closed);
}

function isOpen({ parent }: DescMethod): boolean {
  return OPEN_SERVICES.test(parent.typeName);
}

function rpcProtocol(request: Request): ProtocolName {
  const type = grpcTypeOf(request.headers["content-type"]);
  if (type === undefined) return "connect";
  return type.startsWith("application/grpc-web") ? "grpc-web" : "grpc";
}

function nothingServed(): SwapError {
  const paths = ["price", "price/stream", "quote", "sources"].map((call) => `/swap/v1/${call}`).join(", ");
  const calls = `${paths} and the methods of /swap.v1.SwapService`;
  return refuse("NOT_FOUND", `nothing is served at this path - check its spelling, calls are at ${calls}`);
}

/** @throws SwapError unless a request of HTTP/1.1 has one Host header, and others no more than one (RFC 9112, section 3.2) */
function checkHost({ httpVersion, rawHeaders }: Request): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== "1.1")) return;
  const what = hosts === 0 ? "is missing - send the name of the service in it" : "stands twice - send it once";
  throw refuse("MALFORMED_REQUEST", `the Host header ${what}`);
}

function notAllowed(response: Response, allow: string): SwapError {
  response.setHeader("allow", allow);
  return refuse("METHOD_NOT_ALLOWED", `this path takes ${allow} only`);
}
