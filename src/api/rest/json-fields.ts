import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { DecodeProblem } from "./decode-problem.ts";
import { wrongJsonType } from "./field-value.ts";
import { type DecodedFields, MOST_ELEMENTS, MOST_PARAMETERS, tooManyElements, tooManyParameters } from "./query.ts";
import { scanJson } from "./scan-json.ts";
import { shortened, shown } from "./shown.ts";
import { createUnknownParameters } from "./unknown-parameters.ts";

/**
 * The message's fields in a JSON object's text, checked by checkJsonFields. Keys that stand twice, of which
 * JSON.parse would silently take the last, are problems too. What is larger than any message is not even parsed.
 */
export function decodeJsonText(desc: DescMessage, text: string): DecodedFields | { readonly wrong: string } {
  const scanned = scanJson(text);
  if ("wrong" in scanned) return scanned;
  const value = parsed(text);
  if (value === undefined) return { wrong: "is not a JSON object" };
  const { json, problems } = checkJsonFields(desc, value);
  const known = new Set(desc.fields.flatMap((field) => [field.jsonName, field.name]));
  const keys = scanned.keys.map((key) => JSON.parse(key) as string);
  const repeated = new Set(keys.filter((key, at) => known.has(key) && keys.indexOf(key) !== at));
  return { json, problems: [...problems, ...[...repeated].map(givenTwice)] };
}

/** The object that a text is; undefined when it is none. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return value === null || typeof value !== "object" || Array.isArray(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Checks the top level of a message in JSON form, naming every problem at once instead of failing at the first:
 * fields that do not exist, fields given under both of their names, strings and booleans of the wrong type.
 * Those fields are left out of the result. What is inside other fields is left to ProtoJSON.
 */
function checkJsonFields(desc: DescMessage, input: JsonObject): DecodedFields {
  const json: JsonObject = {};
  const problems: DecodeProblem[] = [];
  const unknown = createUnknownParameters(desc);
  for (const [at, [key, value]] of Object.entries(input).entries()) {
    if (at === MOST_PARAMETERS) {
      problems.push(tooManyParameters());
      break;
    }
    const field = desc.fields.find((candidate) => candidate.jsonName === key || candidate.name === key);
    if (field === undefined) {
      const problem = unknown.problemWith(key);
      if (problem !== undefined) problems.push(problem);
      continue;
    }
    const name = field.jsonName;
    const wrong = value === null ? undefined : wrongType(field, value);
    if (Object.hasOwn(json, name)) {
      problems.push(givenTwice(name));
    } else if (wrong !== undefined) {
      problems.push({ kind: "type", field: name, description: `${name} ${wrong}. Given: ${shownValue(value)}.` });
    } else if (Array.isArray(value) && value.length > MOST_ELEMENTS) {
      problems.push({ kind: "type", field: name, description: tooManyElements(name) });
    } else {
      json[name] = value;
    }
  }
  const more = unknown.problemWithMore();
  if (more !== undefined) problems.push(more);
  return { json, problems };
}

function wrongType(field: DescField, value: JsonValue): string | undefined {
  if (field.fieldKind === "scalar") return wrongJsonType(field, value);
  if (field.fieldKind !== "list" || field.listKind !== "scalar") return undefined;
  if (!Array.isArray(value)) return "must be a JSON array";
  return value.map((element) => wrongJsonType(field, element)).find((wrong) => wrong !== undefined);
}

/** What stood in the JSON, as it stood there: a number is not shown as the text that it should have been. */
function shownValue(value: JsonValue): string {
  return typeof value === "string" ? shown(value) : shortened(JSON.stringify(value));
}

function givenTwice(name: string): DecodeProblem {
  return { kind: "repeated", field: name, description: `${name} was given twice. Give it once.` };
}
