import { create, type DescMessage, type DescService, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { SwapError } from "../domain/swap-error.ts";
import type { Call, Exchange } from "./call.ts";
import type { CallRunner } from "./call-runner.ts";
import type { Request, Response } from "./listener.ts";
import { createRestRoutes, type RestRoute } from "./rest/routes.ts";
import { sendBody } from "./send.ts";
import { sendEvents } from "./send-events.ts";

type Answer = MessageInitShape<DescMessage>;

/** Methods by their name in the service, as plain functions from message to message, or to many where they stream. */
export type Calls = Readonly<Record<string, (request: never, call: Call) => Promise<Answer> | AsyncIterable<Answer>>>;

/** REST for the methods of a service that have a rule of google.api.http: JSON, or server-sent events. */
export interface RestService {
  find(httpMethod: string, path: string): RestRoute | { readonly allow: string } | undefined;
  /** @throws SwapError */
  handle(request: Request, response: Response, exchange: Exchange, route: RestRoute): Promise<void>;
}

export function createRestService(service: DescService, calls: Calls, runner: CallRunner): RestService {
  const routes = createRestRoutes([service]);
  return {
    find: routes.find,
    async handle(request, response, exchange, route) {
      const method = calls[route.method.localName];
      if (method === undefined) throw new Error(`${route.method.name} has a REST rule and no implementation`);
      refuseBody(request, exchange);
      const url = request.url ?? "";
      const at = url.indexOf("?");
      const decoded = route.decode(new URLSearchParams(at < 0 ? "" : url.slice(at + 1)));
      exchange.problems = decoded.problems;
      const gone = new AbortController();
      const onClose = () => gone.abort();
      response.once("close", onClose);
      const caller = { gone: gone.signal, timeoutMs: undefined };
      const work = (call: Call) => method(decoded.message as never, call);
      const render = (answer: Answer) => route.render(create(route.method.output, answer) as Message);
      if (route.method.methodKind === "server_streaming") {
        const answers = runner.stream(exchange, caller, work as (call: Call) => AsyncIterable<Answer>);
        return sendEvents(request, response, exchange, answers, render);
      }
      const answer = await runner.run(exchange, caller, work as (call: Call) => Promise<Answer>);
      response.off("close", onClose);
      sendBody(request, response, { status: 200, contentType: "application/json", body: render(answer) });
    },
  };
}

/** Parameters stand in the query: a body would be ignored, and with it what its sender meant. */
function refuseBody(request: Request, exchange: Exchange): void {
  const { "content-length": length = "0", "transfer-encoding": transfer } = request.headers;
  if (length === "0" && transfer === undefined) return;
  exchange.refusal ??= new SwapError(
    "MALFORMED_BODY",
    "a GET request takes its parameters in the query, not in a body",
  );
}
