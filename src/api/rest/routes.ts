import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  fromJson,
  getOption,
  hasOption,
  type JsonObject,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { http } from "#gen/google/api/annotations_pb.ts";
import type { DecodeProblem } from "./decode-problem.ts";
import { valueFromText } from "./field-value.ts";
import { oncePerObject } from "./once-per-object.ts";
import { compilePathTemplate, type PathTemplate } from "./path-template.ts";
import { decodeQuery, findField, putAt } from "./query.ts";
import { createRenderer } from "./render.ts";
import { eventOf } from "./server-sent-events.ts";

/** Methods that take one message. */
type DescMethodOfOne = DescMethodUnary | DescMethodServerStreaming;

/** One method of a service as REST serves it; a streaming one as server-sent events. */
export interface RestRoute {
  readonly method: DescMethod;
  /** Whether the parameters stand in a body of JSON, and none in the query. */
  readonly takesBody: boolean;
  /** The request message of the fields of such a body. `problems` are those that were found in it. */
  read(json: JsonObject, problems: readonly DecodeProblem[]): ReturnType<RestRoute["decode"]>;
  /** The request message, as far as the path and the query (after its question mark) made sense, and what did not. */
  decode(query: string): { readonly message: Message; readonly problems: readonly DecodeProblem[] };
  /** An answer, as a message or in its plain form, as JSON. */
  render(answer: MessageInitShape<DescMessage>): string;
  /** An answer as a server-sent event: written once, however many streams send that answer. */
  readonly event: (answer: MessageInitShape<DescMessage> & object) => Uint8Array;
}

/** HTTP methods that a rule of either kind answers. */
const ALLOW = { get: ["GET", "HEAD"], post: ["POST"] };

/**
 * Serves unary and server-streaming methods with a rule of google.api.http: GET, or POST with the message as its body. Knows messages by their descriptors only.
 * @throws Error when a rule is of a kind that is not served, or names fields that do not exist
 */
export function createRestRoutes(services: readonly DescService[]): {
  /** The route for a request, or that only other HTTP methods are served at this path. */
  find(httpMethod: string, path: string): RestRoute | { readonly allow: string } | undefined;
} {
  const rules = services.flatMap((service) => service.methods.flatMap(compileRule));
  return {
    find(httpMethod, path) {
      const allowed: string[] = [];
      for (const rule of rules) {
        const variables = rule.template.match(path);
        if (variables === undefined) continue;
        const allow = ALLOW[rule.kind];
        if (allow.includes(httpMethod)) return routeOf(rule, variables);
        allowed.push(...allow);
      }
      return allowed.length === 0 ? undefined : { allow: allowed.join(", ") };
    },
  };
}

interface Rule {
  readonly method: DescMethodOfOne;
  readonly kind: keyof typeof ALLOW;
  readonly template: PathTemplate;
  readonly render: RestRoute["render"];
  readonly event: RestRoute["event"];
}

function compileRule(method: DescMethod): Rule[] {
  if (!hasOption(method, http)) return [];
  if (!takesOne(method)) throw new Error(`${method.name}: only methods that take one message are served as REST`);
  const main = getOption(method, http);
  const render = createRenderer(method.output);
  const event: RestRoute["event"] = oncePerObject((answer) => Buffer.from(eventOf(render(answer))));
  return [main, ...main.additionalBindings].map((binding) => {
    const { case: kind } = binding.pattern;
    if (kind !== "get" && kind !== "post") throw new Error(`${method.name}: only GET and POST rules are served`);
    if ((binding.body === "*") !== (kind === "post"))
      throw new Error(`${method.name}: the body of a POST is all of it`);
    for (const [, fieldPath] of binding.pattern.value.matchAll(/\{([^}=]+)/g)) {
      const field = findField(method.input, fieldPath!)?.field;
      if (field?.fieldKind !== "scalar" && field?.fieldKind !== "enum") {
        throw new Error(`${method.name}: the path cannot set ${fieldPath}`);
      }
    }
    return { method, kind, template: compilePathTemplate(binding.pattern.value), render, event };
  });
}

function takesOne(method: DescMethod): method is DescMethodOfOne {
  return method.methodKind === "unary" || method.methodKind === "server_streaming";
}

function routeOf(rule: Rule, variables: ReadonlyMap<string, string>): RestRoute {
  return {
    method: rule.method,
    render: rule.render,
    event: rule.event,
    takesBody: rule.kind === "post",
    read: (json, problems) => toMessage(rule.method, json, problems),
    decode(query) {
      const bound: JsonObject = {};
      const problems: DecodeProblem[] = [];
      for (const [fieldPath, text] of variables) {
        const { field, path } = findField(rule.method.input, fieldPath)!;
        const value = valueFromText(field, text);
        if ("json" in value) putAt(bound, path, value.json);
        else problems.push({ kind: "type", field: path.join("."), description: `${path.join(".")} ${value.wrong}.` });
      }
      const decoded = decodeQuery(rule.method.input, query, bound);
      return toMessage(rule.method, decoded.json, [...problems, ...decoded.problems]);
    },
  };
}

/** Builds the message, and reports problems of several fields: a path and a query that set two fields of a oneof. */
function toMessage({ input }: DescMethodOfOne, json: JsonObject, problems: readonly DecodeProblem[]) {
  try {
    return { message: fromJson(input, json), problems };
  } catch (error) {
    const description = `the parameters are no ${input.name}: ${error instanceof Error ? error.message : error}.`;
    return { message: create(input), problems: [...problems, { kind: "type", field: "", description } as const] };
  }
}
