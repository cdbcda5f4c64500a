/**
 * Writes src/api/docs/openapi.json (OpenAPI 3.1) from the contract: paths from google.api.http, schemas from the messages,
 * texts from the comments in proto/, refusals from the table in src/api, examples from the README, whose requests are run
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
import { ERROR_CASES } from "../src/api/errors/error-cases.ts";
import { VIOLATION_REASONS } from "../src/api/errors/violation-reasons.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "src/api/docs/openapi.json");
const CONTRACT = "swap/v1/swap.proto";
/** What the service insists on, though the messages leave it open to tell "absent" from "empty". */
const REQUIRED = new Set(["sellToken", "buyToken"]);

type Schema = Readonly<Record<string, unknown>>;

function readContract(): { readonly file: DescFile; readonly texts: ReadonlyMap<string, string> } {
  const image = execFileSync(join(root, "node_modules/.bin/buf"), ["build", "--as-file-descriptor-set", "-o", "-"], {
    cwd: root,
  });
  const set = fromBinary(FileDescriptorSetSchema, image);
  const file = createFileRegistry(set).getFile(CONTRACT);
  if (file === undefined) throw new Error(`${CONTRACT} is not in the image`);
  return { file, texts: commentsOf(set) };
}

/** Comments by the path of what they stand before, as descriptor.proto numbers it. */
function commentsOf(set: FileDescriptorSet): ReadonlyMap<string, string> {
  const file = set.file.find(({ name }) => name === CONTRACT);
  const locations = file?.sourceCodeInfo?.location ?? [];
  return new Map(locations.map(({ path, leadingComments }) => [path.join(), paragraph(leadingComments)]));
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
  const names = new Map(file.messages.flatMap(({ fields }) => fields.map(({ name, jsonName }) => [name, jsonName])));
  return text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => names.get(name) ?? name);
}

const { file, texts } = readContract();
/** Numbers of descriptor.proto: messages are field 4 of a file, services 6; fields are 2 of either. */
const textAt = (...path: readonly number[]) => inJsonNames(texts.get(path.join()) ?? "");
const messageText = (message: DescMessage) => textAt(4, file.messages.indexOf(message));
const fieldText = (message: DescMessage, field: DescField) =>
  textAt(4, file.messages.indexOf(message), 2, message.fields.indexOf(field));
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
  const required = message.fields.filter(isThere).map(({ jsonName }) => jsonName);
  return {
    type: "object",
    description: messageText(message),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      message.fields.map((field) => {
        const schema = isNullable(field) ? orNull(schemaOf(field)) : schemaOf(field);
        return [field.jsonName, { ...schema, description: fieldText(message, field) }];
      }),
    ),
  };
}

/** Marked `optional`: such a field may be absent. */
function isOptional(field: DescField): boolean {
  return field.proto.proto3Optional;
}

function parametersOf(message: DescMessage): readonly Schema[] {
  return message.fields.map((field) => {
    const isList = field.fieldKind === "list";
    return {
      name: field.jsonName,
      in: "query",
      required: REQUIRED.has(field.jsonName),
      description: fieldText(message, field),
      ...(isList && { style: "form", explode: !getOption(field, comma_separated) }),
      schema: schemaOf(field),
      ...(EXAMPLE.parameters.has(field.jsonName) && { example: EXAMPLE.parameters.get(field.jsonName) }),
    };
  });
}

/** The README's request and its answer. */
const EXAMPLE = readExample();

function readExample(): { readonly parameters: ReadonlyMap<string, string>; readonly answer: unknown } {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const url = readme.match(/'(http:\/\/127\.0\.0\.1:8080\/swap\/v1\/price\?[^']+)'/)?.[1];
  const answer = readme.match(/<!-- answer: curl -->\n```json\n([\s\S]*?)```/)?.[1];
  if (url === undefined || answer === undefined) throw new Error("README.md shows no request with its answer");
  return { parameters: new Map(new URL(url).searchParams), answer: JSON.parse(answer) };
}

function refusals(): Schema {
  const byStatus = Map.groupBy(Object.entries(ERROR_CASES), ([, { httpStatus }]) => httpStatus);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, cases]) => [
      String(status),
      {
        description: cases.map(([kind, { code, when }]) => `${kind} (code ${code}): ${when}`).join("\n\n"),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    ]),
  );
}

function operationOf(method: DescMethod): readonly [string, Schema] | undefined {
  if (!hasOption(method, http)) return undefined;
  const { pattern } = getOption(method, http);
  if (pattern.case !== "get") throw new Error(`${method}: not a GET rule`);
  const isStream = method.methodKind === "server_streaming";
  const schema = reference(method.output);
  const isExample = method.output.name === "GetPriceResponse";
  const operation = {
    operationId: method.localName,
    description: methodText(method),
    tags: ["swap"],
    parameters: parametersOf(method.input),
    responses: {
      200: {
        description: isStream ? "Server-sent events; the data of each is one message." : messageText(method.output),
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
  return [pattern.value, { get: operation }];
}

const REFUSAL: Schema = {
  type: "object",
  description: "A call that was refused. Branch on `code` and `reason`; see /docs/errors.",
  required: ["code", "reason", "description", "requestId", "docs"],
  properties: {
    code: {
      type: "integer",
      enum: [...new Set(Object.values(ERROR_CASES).map(({ code }) => code))].sort((a, b) => a - b),
      description: "Number of the kind of refusal.",
    },
    reason: { type: "string", description: "A constant that never changes." },
    description: { type: "string", description: "A sentence for people." },
    validationErrors: {
      type: "array",
      description: "Every problem of the request at once; with code 100 only.",
      items: { $ref: "#/components/schemas/Problem" },
    },
    requestId: { type: "string", description: "Also in the header x-request-id." },
    docs: { type: "string", description: "Where the refusal is explained, relative to the service." },
  },
};

const PROBLEM: Schema = {
  type: "object",
  description: "One thing that is wrong with one parameter.",
  required: ["field", "code", "reason", "description"],
  properties: {
    field: { type: "string", description: "Name of the parameter." },
    code: {
      type: "integer",
      enum: [...new Set(VIOLATION_REASONS.map(({ code }) => code))].sort((a, b) => a - b),
      description: "Number of the kind of problem.",
    },
    reason: {
      type: "string",
      enum: VIOLATION_REASONS.map(({ reason }) => reason),
      description: "A constant that never changes.",
    },
    description: { type: "string", description: "What was given, and what to send instead." },
  },
};

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
  tags: [{ name: "swap", description: textAt(6, 0) }],
  paths,
  components: {
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "api-key" } },
    schemas: {
      ...Object.fromEntries([...used.values()].map((message) => [message.name, messageSchema(message)])),
      Refusal: REFUSAL,
      Problem: PROBLEM,
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
