/**
 * Writes src/api/docs/openapi.json (OpenAPI 3.1) from the contract: paths from google.api.http, schemas from the messages,
 * texts from the comments in proto/, refusals from the table in src/api, examples from README.md and docs/api.md, whose requests are run
 * by a test. With `--check` it compares instead.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createFileRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  fromBinary,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { http } from "#gen/google/api/annotations_pb.ts";
import { comma_separated, null_when_unset } from "#gen/rest/v1/options_pb.ts";
import { formOf, markOf, PARAMETER_FORMS } from "./openapi/forms.ts";
import { CALL_HEADERS, HEADERS, OPERATIONS, refusals, SCHEMAS } from "./openapi/operations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/api/docs/openapi.json");
const CONTRACT = "swap/v1/swap.proto";
/** Fields that the service requires, though the messages leave them open to tell "absent" from "empty". */
const REQUIRED = new Set(["sellToken", "buyToken", "requests", "address"]);

type Schema = Readonly<Record<string, unknown>>;

/** A line for each call: contents and menus have no room for the contract's comment. */
const SUMMARIES: Readonly<Record<string, string>> = {
  getPrice: "Indicative price with its route",
  watchPrice: "Price as a stream, block by block",
  getPriceLadder: "Prices of one pair for several amounts",
  batchGetPrices: "Prices of several requests",
  getQuote: "Quote with the transaction to send",
  listSources: "Sources of liquidity and how fresh they are",
  listTokens: "Tokens that can be traded, the deepest first",
  getChain: "The chain, its contracts and limits",
};

function readContract(): { readonly file: DescFile; readonly texts: ReadonlyMap<string, string> } {
  const image = execFileSync(join(root, "node_modules/.bin/buf"), ["build", "--as-file-descriptor-set", "-o", "-"], {
    cwd: root,
  });
  const set = fromBinary(FileDescriptorSetSchema, image);
  const file = createFileRegistry(set).getFile(CONTRACT);
  if (file === undefined) throw new Error(`${CONTRACT} is not in the image`);
  return { file, texts: commentsOf(set) };
}

/** Comments by the file and the path of what they stand before, as descriptor.proto numbers it. */
function commentsOf(set: FileDescriptorSet): ReadonlyMap<string, string> {
  return new Map(
    set.file.flatMap(({ name, sourceCodeInfo }) =>
      (sourceCodeInfo?.location ?? []).map(
        ({ path, leadingComments }) => [`${name}:${path.join()}`, paragraph(leadingComments)] as const,
      ),
    ),
  );
}

/** Lines of a comment as one text; blank lines part paragraphs. */
function paragraph(comment: string): string {
  return comment
    .trim()
    .split(/\n\s*\n/)
    .map((part) => part.trim().replace(/\s*\n\s*/g, " "))
    .join("\n\n");
}

/** JSON has the names of the fields in camelCase. */
function inJsonNames(text: string): string {
  const messages = filesOfPackage.flatMap((each) => each.messages);
  const names = new Map(messages.flatMap(({ fields }) => fields.map(({ name, jsonName }) => [name, jsonName])));
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => names.get(name) ?? name);
}

const { file, texts } = readContract();
/** The file with the service, and those that it imports of its own package. */
const filesOfPackage = [file, ...file.dependencies.filter(({ proto }) => proto.package === file.proto.package)];
/** Numbers of descriptor.proto: messages are field 4 of a file, services 6; fields are 2 of either. */
const textIn = (where: DescFile, ...path: readonly number[]) =>
  inJsonNames(texts.get(`${where.proto.name}:${path.join()}`) ?? "");
const textAt = (...path: readonly number[]) => textIn(file, ...path);
const messageText = (message: DescMessage) => textIn(message.file, 4, message.file.messages.indexOf(message));
const fieldText = (message: DescMessage, field: DescField) =>
  textIn(message.file, 4, message.file.messages.indexOf(message), 2, message.fields.indexOf(field));
const methodText = (method: DescMethod) =>
  textAt(6, file.services.indexOf(method.parent), 2, method.parent.methods.indexOf(method));

/** Messages that answers are made of. */
const used = new Map<string, DescMessage>();

function schemaOf(field: DescField): Schema {
  switch (field.fieldKind) {
    case "scalar":
      return scalar(field);
    case "message":
      return reference(field.message);
    case "list":
      if (field.listKind === "message") return { type: "array", items: reference(field.message) };
      return { type: "array", items: { type: "string" } };
    default:
      throw new Error(`${field}: no schema for this kind of field`);
  }
}

function scalar(field: DescField & { readonly fieldKind: "scalar" }): Schema {
  const type = { 8: "boolean", 9: "string", 13: "integer" }[field.scalar as number];
  if (type === undefined) throw new Error(`${field}: no schema for this type`);
  return { type, ...(type === "integer" && { minimum: 0, maximum: 2 ** 32 - 1 }) };
}

/** In a list each item has the form, but for the most that it may hold. */
function withForm(schema: Schema, form: Schema): Schema {
  if (!("items" in schema)) return { ...schema, ...form };
  const { maxItems, ...ofItem } = form;
  return { ...schema, ...(maxItems !== undefined && { maxItems }), items: { ...(schema.items as Schema), ...ofItem } };
}

function reference(message: DescMessage): Schema {
  if (message.typeName === "google.protobuf.Struct")
    return { type: "object", additionalProperties: { type: "string" } };
  if (!used.has(message.name)) {
    used.set(message.name, message);
    for (const field of message.fields) schemaOf(field);
  }
  return { $ref: `#/components/schemas/${message.name}` };
}

function orNull(schema: Schema): Schema {
  return "type" in schema ? { ...schema, type: [schema.type, "null"] } : { oneOf: [schema, { type: "null" }] };
}

function messageSchema(message: DescMessage): Schema {
  const isNullable = (field: DescField) => getOption(field, null_when_unset);
  const isThere = (field: DescField) => isNullable(field) || (field.oneof === undefined && !isOptional(field));
  const isAsked = message.name.endsWith("Request");
  const isSent = isAsked || message.name === "PendingLog";
  const isNeeded = (field: DescField) => (isSent ? REQUIRED.has(field.jsonName) : isThere(field));
  const required = message.fields.filter(isNeeded).map(({ jsonName }) => jsonName);
  return {
    type: "object",
    description: messageText(message),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      message.fields.map((field) => {
        const form = isAsked ? (PARAMETER_FORMS[field.jsonName] ?? {}) : formOf(message.name, field.jsonName);
        const plain = withForm(schemaOf(field), form);
        const schema = isNullable(field) ? orNull(plain) : plain;
        return [field.jsonName, { ...schema, ...markOf(field), description: fieldText(message, field) }];
      }),
    ),
  };
}

/** Marked `optional`: such a field may be absent. */
function isOptional(field: DescField): boolean {
  return field.proto.proto3Optional;
}

/** Query parameters of a message: lists of messages stand in bodies alone. */
function parametersOf(message: DescMessage): readonly Schema[] {
  const isQuote = message.name === "GetQuoteRequest";
  const inQuery = message.fields.filter((field) => field.fieldKind !== "list" || field.listKind === "scalar");
  return inQuery.map((field) => {
    const isList = field.fieldKind === "list";
    return {
      name: field.jsonName,
      in: "query",
      required: REQUIRED.has(field.jsonName),
      ...markOf(field),
      description: fieldText(message, field),
      ...(isList && { style: "form", explode: !getOption(field, comma_separated) }),
      schema: {
        ...withForm(schemaOf(field), PARAMETER_FORMS[field.jsonName] ?? {}),
        ...(field.jsonName === "skipValidation" && { default: !isQuote }),
      },
      ...(EXAMPLE.parameters.has(field.jsonName) && { example: EXAMPLE.parameters.get(field.jsonName) }),
    };
  });
}

/** The README's request, and its answer in docs/api.md. */
const EXAMPLE = readExample();

function readExample(): { readonly parameters: ReadonlyMap<string, string>; readonly answer: unknown } {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const url = readme.match(/'(http:\/\/127\.0\.0\.1:8080\/swap\/v1\/price\?[^']+)'/)?.[1];
  const page = readFileSync(join(root, "docs", "api.md"), "utf8");
  const answer = page.match(/<!-- answer: curl -->\n```json\n([\s\S]*?)```/)?.[1];
  if (url === undefined || answer === undefined) throw new Error("README.md has no request, or docs/api.md no answer");
  return { parameters: new Map(new URL(url).searchParams), answer: JSON.parse(answer) };
}

function operationOf(method: DescMethod): readonly [string, Schema] | undefined {
  if (!hasOption(method, http)) return undefined;
  const main = getOption(method, http);
  const rules = [main, ...main.additionalBindings];
  const operations = rules.map(({ pattern }, at) => {
    if (pattern.case !== "get" && pattern.case !== "post") throw new Error(`${method}: neither a GET nor a POST rule`);
    if (pattern.value !== main.pattern.value) throw new Error(`${method}: its rules have several paths`);
    return [pattern.case, operationBy(method, pattern.case === "post", at === 0)] as const;
  });
  return [main.pattern.value as string, Object.fromEntries(operations)];
}

/** `isMain`: others have a name of their own. */
function operationBy(method: DescMethod, isPost: boolean, isMain: boolean): Schema {
  const isStream = method.methodKind === "server_streaming";
  const schema = reference(method.output);
  const isExample = method.output.name === "GetPriceResponse";
  return {
    operationId: isMain ? method.localName : `${method.localName}ByPost`,
    summary: SUMMARIES[method.localName],
    description: methodText(method),
    tags: ["swap"],
    ...markOf(method),
    parameters: isPost ? [] : parametersOf(method.input),
    ...(isPost && {
      requestBody: { required: true, content: { "application/json": { schema: reference(method.input) } } },
    }),
    responses: {
      200: {
        description: isStream ? "Server-sent events; the data of each is one message." : messageText(method.output),
        headers: CALL_HEADERS,
        content: {
          [isStream ? "text/event-stream" : "application/json"]: {
            schema,
            ...(isExample && { example: EXAMPLE.answer }),
          },
        },
      },
      ...refusals(),
    },
  };
}

const [service] = file.services;
if (service === undefined) throw new Error("the contract has no service");
const paths = Object.fromEntries(service.methods.map(operationOf).filter((entry) => entry !== undefined));
const document = {
  openapi: "3.1.0",
  info: {
    title: "Tributary",
    version: "v1",
    summary: textAt(6, 0),
    description: textAt(12),
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  security: [{ apiKey: [] }],
  tags: [
    { name: "swap", description: textAt(6, 0) },
    { name: "operations", description: "Paths without a key: the token list, and the state of the service." },
  ],
  paths: { ...paths, ...OPERATIONS },
  components: {
    securitySchemes: {
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "api-key",
        description: "The operator of the service issues keys.",
      },
    },
    headers: HEADERS,
    schemas: {
      ...Object.fromEntries([...used.values()].map((message) => [message.name, messageSchema(message)])),
      ...SCHEMAS,
    },
  },
};

const text = execFileSync(join(root, "node_modules/.bin/biome"), ["format", `--stdin-file-path=${target}`], {
  cwd: root,
  input: JSON.stringify(document),
  encoding: "utf8",
});
if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === text;
  console.log(
    same ? "openapi.json is up to date" : "out of date: src/api/docs/openapi.json; run node tools/openapi.ts",
  );
  process.exitCode = same ? 0 : 1;
} else writeFileSync(target, text);
