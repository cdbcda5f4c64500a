import type { Writable } from "node:stream";
import type { DescMessage, DescMethod, DescService, JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { universalRequestFromNodeRequest } from "@connectrpc/connect-node";
import { refuse, type SwapError } from "../domain/errors/swap-error.ts";
import type { Call, Exchange } from "./calls/call.ts";
import type { CallRunner } from "./calls/call-runner.ts";
import type { CallerGone } from "./calls/deadline.ts";
import type { DeprecationHeaders } from "./calls/deprecation.ts";
import type { Compressor } from "./http/compression.ts";
import { rpcFormatOf } from "./http/content-types.ts";
import type { Request, Response } from "./http/messages.ts";
import { sendCompressed, type Written, written } from "./http/send.ts";
import { sendEvents } from "./http/send-events.ts";
import type { Account } from "./keys/key-store.ts";
import type { ReadyAnswers } from "./ready-answers.ts";
import { createRestRoutes, type RestRoute } from "./rest/routes.ts";
import { shown } from "./rest/shorten.ts";
import { checkHeaders, type MessageLimits, readMessage } from "./rpc/read-message.ts";

type Answer = MessageInitShape<DescMessage>;

/** Methods by their name in the service, as plain functions from message to message, or to many where they stream. */
export type Calls = Readonly<Record<string, (request: never, call: Call) => Promise<Answer> | AsyncIterable<Answer>>>;

/** REST for the methods of a service that have a rule of google.api.http: JSON, or server-sent events. */
export interface RestService {
  /** The route for a request; a slash at the end of its path is passed over. */
  find(httpMethod: string, path: string): RestRoute | { readonly allow: string } | undefined;
  /** @throws SwapError */
  handle(request: Request, response: Response, exchange: Exchange, route: RestRoute): Promise<void>;
}

/** Answers that were made before for the very same request. */
export interface Ready {
  readonly answers: ReadyAnswers;
  /** Key of a call's stored answer, apart from its URL; undefined if it is not stored. */
  keyOf(method: DescMethod, account: Account): string | undefined;
}

/** Parts that read and answer calls. */
interface RestParts {
  readonly ready: Ready;
  readonly compressor: Compressor;
  readonly limits: MessageLimits;
  readonly deprecation: DeprecationHeaders;
}

export function createRestService(
  service: DescService,
  calls: Calls,
  runner: CallRunner,
  { ready, compressor, limits, deprecation }: RestParts,
): RestService {
  const sendJson = (request: Request, response: Response, body: Written) =>
    sendCompressed(request, response, { status: 200, contentType: "application/json", body }, compressor);
  const routes = createRestRoutes([service]);
  return {
    find: (httpMethod, path) =>
      routes.find(httpMethod, path) ?? (path.endsWith("/") ? routes.find(httpMethod, path.slice(0, -1)) : undefined),
    async handle(request, response, exchange, route) {
      const method = calls[route.method.localName];
      if (method === undefined) throw new Error(`${route.method.name} has a REST rule and no implementation`);
      if (!route.takesBody) refuseBody(request, exchange);
      const account = runner.admit(exchange);
      const place = route.takesBody ? undefined : placeOf(request, route, account, ready);
      if (place?.answer !== undefined) return sendJson(request, response, place.answer);
      const url = request.url ?? "";
      const at = url.indexOf("?");
      const query = at < 0 ? "" : url.slice(at + 1);
      const decoded = route.takesBody
        ? await readPosted(request, response, { route, query, limits })
        : route.decode(query);
      exchange.problems = decoded.problems;
      const deprecated = deprecation(route.method, decoded.message);
      if (deprecated !== undefined) exchange.addHeaders(deprecated);
      const caller = { gone: goneWith(response), timeoutMs: undefined };
      const work = (call: Call) => method(decoded.message as never, call);
      if (route.method.methodKind === "server_streaming") {
        const messages = runner.stream(exchange, caller, work as (call: Call) => AsyncIterable<Answer>);
        return sendEvents(request, response, exchange, { messages, eventOf: route.event });
      }
      const answer = await runner.run(exchange, caller, work as (call: Call) => Promise<Answer>);
      const body = written(route.render(answer));
      // An answer that is kept goes out without its request being read.
      if (deprecated === undefined) place?.put(body);
      return sendJson(request, response, body);
    },
  };
}

/** The message that a POST has as its body, in JSON. @throws SwapError */
async function readPosted(
  request: Request,
  response: Response,
  { route, query, limits }: { readonly route: RestRoute; readonly query: string; readonly limits: MessageLimits },
): Promise<ReturnType<RestRoute["decode"]>> {
  if (query !== "")
    throw refuse("MALFORMED_BODY", "the query of a POST request is not read - send the parameters in the body");
  const format = rpcFormatOf(request.headers["content-type"]);
  if (format === undefined || !format.json || format.enveloped || format.unreadable !== undefined) {
    throw notJson(request);
  }
  const incoming = universalRequestFromNodeRequest(request, response, undefined, undefined);
  checkHeaders(incoming.header, format);
  const { request: read, problems } = await readMessage(incoming, format, route.method, limits);
  return route.read(read.body as JsonObject, problems);
}

function notJson({ headers }: Request): SwapError {
  const given = headers["content-type"];
  const what =
    given === undefined ? "no content type was sent" : `this method does not accept the content type ${shown(given)}`;
  return refuse("UNSUPPORTED_CONTENT_TYPE", `${what} - send application/json in UTF-8`);
}

/** Whether the caller still waits, as its connection tells. */
function goneWith(response: Response): CallerGone {
  const out: Writable = response;
  return {
    get aborted() {
      return response.closed;
    },
    addEventListener: (_, listener) => void out.once("close", listener),
    removeEventListener: (_, listener) => void out.off("close", listener),
  };
}

/** Place at which the answer to a request is stored, or would be. */
function placeOf(request: Request, route: RestRoute, account: Account, ready: Ready) {
  const keptUnder = ready.keyOf(route.method, account);
  return keptUnder === undefined ? undefined : ready.answers.place(`${keptUnder} ${request.url}`);
}

/** Parameters stand in the query: a body would be ignored, and with it what its sender meant. */
function refuseBody(request: Request, exchange: Exchange): void {
  const { "content-length": length = "0", "transfer-encoding": transfer } = request.headers;
  if (length === "0" && transfer === undefined) return;
  exchange.refusal ??= refuse("MALFORMED_BODY", "a GET request has no body - send the parameters in the query");
}
