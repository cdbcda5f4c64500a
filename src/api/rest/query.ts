import { type DescField, type DescMessage, getOption, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { comma_separated } from "#gen/rest/v1/options_pb.ts";
import type { DecodeProblem } from "./decode-problem.ts";
import { valueFromText } from "./field-value.ts";
import { shown } from "./shorten.ts";
import { createUnknownParameters } from "./unknown-parameters.ts";

/** A message in its JSON form, as far as the input made sense, and what did not. */
export interface DecodedFields {
  readonly json: JsonObject;
  readonly problems: readonly DecodeProblem[];
}

/** Query parameters a caller may send at most; every one after that is not even looked at. */
export const MAX_PARAMETERS = 100;

/**
 * Fields from query parameters by the rules of google.api.http (AIP-127): dotted paths, JSON or proto names, repeated
 * fields by repeating the parameter, and by commas where the field has the option rest.v1.comma_separated.
 * `bound` holds fields that the path has set already: they cannot be query parameters too.
 */
export function decodeQuery(desc: DescMessage, query: string, bound: JsonObject = {}): DecodedFields {
  // The path's values are copied: they belong to the caller. Mostly there are none.
  const json: JsonObject = Object.keys(bound).length === 0 ? {} : structuredClone(bound);
  const problems: DecodeProblem[] = [];
  const seen = new Map<string, { readonly found: FoundField; readonly texts: string[] }>();
  const unknown = createUnknownParameters(desc);
  const looked = firstParameters(query);
  let isTooMany = looked.length < query.length;
  let count = 0;
  for (const [key, value] of pairsOf(looked)) {
    if (++count > MAX_PARAMETERS) {
      isTooMany = true;
      break;
    }
    const found = findField(desc, key);
    if (found === undefined) {
      const problem = unknown.problemWith(key);
      if (problem !== undefined) problems.push(problem);
      continue;
    }
    const entry = seen.get(found.name);
    if (entry === undefined) seen.set(found.name, { found, texts: [value] });
    else entry.texts.push(value);
  }
  const more = unknown.problemWithMore();
  if (more !== undefined) problems.push(more);
  if (isTooMany) problems.push(tooManyParameters());
  const chosen = new Map<string, string>();
  for (const { found, texts } of seen.values()) {
    const problem = otherOfOneof(found, chosen) ?? setField(json, found, texts);
    if (problem !== undefined) problems.push({ ...problem, field: found.name });
  }
  return { json, problems };
}

/** As much of a query as holds one parameter more than a caller may send. */
function firstParameters(query: string): string {
  let end = -1;
  for (let count = 0; count <= MAX_PARAMETERS; count++) {
    end = query.indexOf("&", end + 1);
    if (end < 0) return query;
  }
  return query.slice(0, end);
}

/** Names and values as a query holds them (application/x-www-form-urlencoded). */
function pairsOf(query: string): Iterable<readonly [string, string]> {
  // Most queries have nothing to decode, and are quicker taken apart by hand.
  if (/[%+]|^\?/.test(query)) return new URLSearchParams(query);
  const parts = query.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
  });
}

/** A field by its dotted path in JSON or proto names. */
interface FoundField {
  readonly field: DescField;
  /** In JSON names. */
  readonly path: readonly string[];
  /** The path with its dots. */
  readonly name: string;
}

export function findField(desc: DescMessage, dotted: string): FoundField | undefined {
  const path: string[] = [];
  let message: DescMessage | undefined = desc;
  let field: DescField | undefined;
  for (const part of dotted.split(".")) {
    field = message?.fields.find((candidate) => candidate.jsonName === part || candidate.name === part);
    if (field === undefined) return undefined;
    path.push(field.jsonName);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  return field === undefined ? undefined : { field, path, name: path.join(".") };
}

/** Puts `value` at a path of JSON names. False when something stands there already. */
export function putAt(json: JsonObject, path: readonly string[], value: JsonValue): boolean {
  let target = json;
  for (const name of path.slice(0, -1)) {
    target[name] ??= {};
    target = target[name] as JsonObject;
  }
  const last = path.at(-1)!;
  if (Object.hasOwn(target, last)) return false;
  target[last] = value;
  return true;
}

/** Finds a second field of a oneof, of which only one may be given. `chosen` holds those that were. */
function otherOfOneof(
  { field, path, name }: FoundField,
  chosen: Map<string, string>,
): Omit<DecodeProblem, "field"> | undefined {
  if (field.oneof === undefined) return undefined;
  const group = [...path.slice(0, -1), field.oneof.name].join(".");
  const other = chosen.get(group);
  if (other !== undefined) {
    return { kind: "repeated", description: `${name} cannot be given together with ${other}. Send one of them.` };
  }
  chosen.set(group, name);
  return undefined;
}

function setField(
  json: JsonObject,
  { field, path, name }: FoundField,
  texts: readonly string[],
): Omit<DecodeProblem, "field"> | undefined {
  if (field.fieldKind !== "scalar" && field.fieldKind !== "enum" && field.fieldKind !== "list") {
    return { kind: "type", description: `${name} cannot be given in a query.` };
  }
  if (field.fieldKind !== "list" && texts.length > 1) {
    return { kind: "repeated", description: `${name} was given ${texts.length} times. Give it once.` };
  }
  // Reading an option is costly, and only lists can have this one.
  const separated = field.fieldKind === "list" && getOption(field, comma_separated);
  const elements = separated ? texts.flatMap((text) => text.split(",")) : texts;
  const values: JsonValue[] = [];
  for (const element of elements) {
    const value = valueFromText(field, element);
    if ("wrong" in value) {
      return { kind: "type", description: `${name} ${value.wrong}. Given: ${shown(element)}.` };
    }
    values.push(value.json);
  }
  const placed = putAt(json, path, field.fieldKind === "list" ? values : values[0]!);
  return placed
    ? undefined
    : { kind: "repeated", description: `${name} is set by the path already. Leave it out of the query.` };
}

/** The problem of a request with more parameters than are looked at. */
export function tooManyParameters(): DecodeProblem {
  return {
    kind: "unknown",
    field: "",
    description: `more than ${MAX_PARAMETERS} parameters were given. Send only those that the call takes.`,
  };
}
