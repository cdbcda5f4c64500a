import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { DecodeProblem } from "./decode-problem.ts";
import { wrongJsonType } from "./field-value.ts";
import { type DecodedFields, MAX_PARAMETERS, tooManyParameters } from "./query.ts";
import { scanJson } from "./scan-json.ts";
import { shortened, shown } from "./shorten.ts";
import { createUnknownParameters } from "./unknown-parameters.ts";

/** Problems of one message that are told, those inside its fields included: a caller chooses how many there are. */
const MAX_PROBLEMS = 100;

/**
 * The message's fields in a JSON object's text, checked by checkJsonFields. Keys that stand twice, of which
 * JSON.parse would silently take the last, are problems too. What is larger than any message is not even parsed.
 */
export function decodeJsonText(desc: DescMessage, text: string): DecodedFields | { readonly wrong: string } {
  const scanned = scanJson(text);
  if ("wrong" in scanned) return scanned;
  const value = parsed(text);
  if (value === undefined) return { wrong: "is not a JSON object" };
  const given = new Set<string>();
  const repeated = new Set<string>();
  for (const { place, key } of scanned.keys) {
    const name = place + key;
    if (given.has(name)) repeated.add(name);
    given.add(name);
  }
  const { json, problems } = checkJsonFields(desc, value, { place: "", given: "", repeated });
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return { json, problems };
  const description = `${more} more problems are left out. Mend these first.`;
  return { json, problems: [...problems.slice(0, MAX_PROBLEMS), { kind: "type", field: "", description }] };
}

/** The object that a text is; undefined when it is none. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Position of a message in the whole. */
interface Inside {
  /** As it is told, `requests[1].`, and with the names that the caller has given. */
  readonly place: string;
  readonly given: string;
  /** Names in the whole that were given twice. */
  readonly repeated: ReadonlySet<string>;
}

/**
 * Checks a message in JSON form, and those inside it, naming every problem at once instead of failing at the first:
 * fields that do not exist, fields given twice or under both of their names, values of the wrong type.
 * Those fields are left out of the result. Numbers, enums and well-known types are left to ProtoJSON.
 */
function checkJsonFields(desc: DescMessage, input: JsonObject, inside: Inside): DecodedFields {
  const json: JsonObject = {};
  const problems: DecodeProblem[] = [];
  const unknown = createUnknownParameters(desc);
  const { place, given, repeated } = inside;
  for (const [at, [key, value]] of Object.entries(input).entries()) {
    if (at === MAX_PARAMETERS) {
      problems.push(tooManyParameters());
      break;
    }
    const field = desc.fields.find((candidate) => candidate.jsonName === key || candidate.name === key);
    if (field === undefined) {
      const problem = unknown.problemWith(key);
      if (problem !== undefined) problems.push({ ...problem, field: place + problem.field });
      continue;
    }
    const name = place + field.jsonName;
    const wrong = value === null ? undefined : wrongType(field, value);
    if (repeated.has(given + key)) problems.push(givenTwice(name));
    if (Object.hasOwn(json, field.jsonName)) {
      problems.push(givenTwice(name));
    } else if (wrong !== undefined) {
      problems.push({ kind: "type", field: name, description: `${name} ${wrong}. Given: ${shownValue(value)}.` });
    } else {
      const checked = checkValue(field, value, { place: name, given: given + key, repeated });
      problems.push(...checked.problems);
      json[field.jsonName] = checked.json;
    }
  }
  const more = unknown.problemWithMore();
  if (more !== undefined) problems.push(more);
  return { json, problems };
}

/** A field's value with the messages in it checked; `place` is the field's. Others are taken as they are. */
function checkValue(
  field: DescField,
  value: JsonValue,
  { place, given, repeated }: Inside,
): { readonly json: JsonValue; readonly problems: readonly DecodeProblem[] } {
  const message = messageOf(field);
  if (message === undefined || value === null) return { json: value, problems: [] };
  if (isObject(value)) return checkJsonFields(message, value, { place: `${place}.`, given: `${given}.`, repeated });
  if (!Array.isArray(value)) return { json: value, problems: [] };
  const elements = value.map((element, at) => {
    const name = `${place}[${at}]`;
    if (isObject(element))
      return checkJsonFields(message, element, { place: `${name}.`, given: `${given}[${at}].`, repeated });
    const description = `${name} must be a JSON object. Given: ${shownValue(element)}.`;
    return { json: {}, problems: [{ kind: "type", field: name, description } as const] };
  });
  return { json: elements.map(({ json }) => json), problems: elements.flatMap(({ problems }) => problems) };
}

/** The message that a field's value is, or the elements of its list are; undefined for those whose JSON form is one of their own. */
function messageOf(field: DescField): DescMessage | undefined {
  const isMessage = field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message");
  return isMessage && !field.message.typeName.startsWith("google.protobuf.") ? field.message : undefined;
}

function wrongType(field: DescField, value: JsonValue): string | undefined {
  if (field.fieldKind === "scalar") return wrongJsonType(field, value);
  if (field.fieldKind === "message" && messageOf(field) !== undefined && !isObject(value))
    return "must be a JSON object";
  if (field.fieldKind !== "list") return undefined;
  if (!Array.isArray(value)) return "must be a JSON array";
  if (field.listKind !== "scalar") return undefined;
  return value.map((element) => wrongJsonType(field, element)).find((wrong) => wrong !== undefined);
}

/** Value as it stood in the JSON: a number is not shown as the text that it should have been. */
function shownValue(value: JsonValue): string {
  return typeof value === "string" ? shown(value) : shortened(JSON.stringify(value));
}

function givenTwice(name: string): DecodeProblem {
  return { kind: "repeated", field: name, description: `${name} was given twice. Give it once.` };
}
