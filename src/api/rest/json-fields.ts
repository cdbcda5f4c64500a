import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { DecodeProblem } from "./decode-problem.ts";
import { wrongJsonType } from "./field-value.ts";
import { type DecodedFields, shown, unknownParameter } from "./query.ts";

/**
 * Checks the top level of a message in JSON form, naming every problem at once instead of failing at the first:
 * fields that do not exist, fields given under both of their names, strings and booleans of the wrong type.
 * Those fields are left out of the result. What is inside other fields is left to ProtoJSON.
 */
export function checkJsonFields(desc: DescMessage, input: JsonObject): DecodedFields {
  const json: JsonObject = {};
  const problems: DecodeProblem[] = [];
  for (const [key, value] of Object.entries(input)) {
    const field = desc.fields.find((candidate) => candidate.jsonName === key || candidate.name === key);
    if (field === undefined) {
      problems.push(unknownParameter(desc, key));
      continue;
    }
    const name = field.jsonName;
    const wrong = value === null ? undefined : wrongType(field, value);
    if (Object.hasOwn(json, name)) {
      problems.push({ kind: "repeated", field: name, description: `${name} was given twice. Give it once.` });
    } else if (wrong !== undefined) {
      problems.push({ kind: "type", field: name, description: `${name} ${wrong}. Given: ${shown(textOf(value))}.` });
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

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
