import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  type MessageInitShape,
  toJson,
} from "@bufbuild/protobuf";
import { null_when_unset } from "#gen/rest/v1/options_pb.ts";
import { createPlainWriter } from "./plain-json.ts";

/** Fields of a message that become null, and fields to search deeper. */
interface NullPlan {
  readonly nulls: readonly string[];
  readonly nested: { readonly name: string; readonly list: boolean; readonly plan: NullPlan }[];
}

/**
 * Writes messages of one type as REST answers: ProtoJSON with every implicit field present, and JSON null for unset
 * fields that have the option rest.v1.null_when_unset.
 */
export function createRenderer<D extends DescMessage>(desc: D): (answer: MessageInitShape<D>) => string {
  const writePlain = createPlainWriter(desc);
  if (writePlain !== undefined) return (answer) => JSON.stringify(writePlain(answer));
  const plan = needsNulls(desc, new Set()) ? planOf(desc, new Map()) : undefined;
  return (answer) => {
    const json = toJson(desc, create(desc, answer), { alwaysEmitImplicit: true }) as JsonObject;
    if (plan !== undefined) fillNulls(json, plan);
    return JSON.stringify(json);
  };
}

/** Plans refer to themselves where messages do; `made` holds those of the messages met so far. */
function planOf(desc: DescMessage, made: Map<string, NullPlan>): NullPlan {
  const known = made.get(desc.typeName);
  if (known !== undefined) return known;
  const nulls = desc.fields.filter((field) => getOption(field, null_when_unset)).map((field) => field.jsonName);
  const plan: NullPlan = { nulls, nested: [] };
  made.set(desc.typeName, plan);
  for (const { field, message } of messageFields(desc)) {
    if (!needsNulls(message, new Set())) continue;
    plan.nested.push({ name: field.jsonName, list: field.fieldKind === "list", plan: planOf(message, made) });
  }
  return plan;
}

/** Whether a message, or any message inside it, has a field that becomes null. */
function needsNulls(desc: DescMessage, seen: Set<string>): boolean {
  if (seen.has(desc.typeName)) return false;
  seen.add(desc.typeName);
  if (desc.fields.some((field) => getOption(field, null_when_unset))) return true;
  return messageFields(desc).some(({ message }) => needsNulls(message, seen));
}

function messageFields(desc: DescMessage): { field: DescField; message: DescMessage }[] {
  return desc.fields.flatMap((field) => {
    const isMessage = field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message");
    return isMessage ? [{ field, message: field.message }] : [];
  });
}

function fillNulls(json: JsonObject, plan: NullPlan): void {
  for (const { name, list, plan: inner } of plan.nested) {
    const value = json[name];
    if (value === undefined || value === null) continue;
    for (const element of list ? (value as JsonObject[]) : [value as JsonObject]) fillNulls(element, inner);
  }
  for (const name of plan.nulls) if (!(name in json)) json[name] = null;
}
