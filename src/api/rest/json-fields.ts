import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { DecodeProblem } from "./decode-problem.ts";
import { wrongJsonType } from "./field-value.ts";
import { type DecodedFields, MOST_PARAMETERS, shortened, shown, tooManyParameters, unknownParameter } from "./query.ts";

/** Levels of a JSON value that are looked at. */
const DEEPEST = 100;

/**
 * The message's fields in a JSON object's text, checked by checkJsonFields. Keys that stand twice, of which
 * JSON.parse would silently take the last, are problems too.
 * @returns undefined when the text is not a JSON object, or nested deeper than any message is
 */
export function decodeJsonText(desc: DescMessage, text: string): DecodedFields | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const { keys, depth } = topLevelKeys(text);
  // Whatever walks through the value later does so by recursion.
  if (depth > DEEPEST) return undefined;
  const { json, problems } = checkJsonFields(desc, value);
  const known = new Set(desc.fields.flatMap((field) => [field.jsonName, field.name]));
  const repeated = [...keys].filter(([key, count]) => count > 1 && known.has(key)).map(([key]) => key);
  return { json, problems: [...problems, ...repeated.map(givenTwice)] };
}

/**
 * Checks the top level of a message in JSON form, naming every problem at once instead of failing at the first:
 * fields that do not exist, fields given under both of their names, strings and booleans of the wrong type.
 * Those fields are left out of the result. What is inside other fields is left to ProtoJSON.
 */
function checkJsonFields(desc: DescMessage, input: JsonObject): DecodedFields {
  const json: JsonObject = {};
  const problems: DecodeProblem[] = [];
  for (const [at, [key, value]] of Object.entries(input).entries()) {
    if (at === MOST_PARAMETERS) {
      problems.push(tooManyParameters(key));
      break;
    }
    const field = desc.fields.find((candidate) => candidate.jsonName === key || candidate.name === key);
    if (field === undefined) {
      problems.push(unknownParameter(desc, key));
      continue;
    }
    const name = field.jsonName;
    const wrong = value === null ? undefined : wrongType(field, value);
    if (Object.hasOwn(json, name)) {
      problems.push(givenTwice(name));
    } else if (wrong !== undefined) {
      problems.push({ kind: "type", field: name, description: `${name} ${wrong}. Given: ${shownValue(value)}.` });
    } else {
      json[name] = value;
    }
  }
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

/** How often each key stands at the top level of a valid JSON object's text, and how deep the text is nested. */
function topLevelKeys(text: string): { readonly keys: ReadonlyMap<string, number>; readonly depth: number } {
  const counts = new Map<string, number>();
  let depth = 0;
  let deepest = 0;
  let last = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === "{" || token === "[") deepest = Math.max(deepest, ++depth);
    else if (token === "}" || token === "]") depth--;
    else if (token !== ":") last = token;
    else if (depth === 1) {
      const key = JSON.parse(last) as string;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return { keys: counts, depth: deepest };
}
