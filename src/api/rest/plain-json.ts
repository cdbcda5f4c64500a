import {
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { Edition, FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { null_when_unset } from "#gen/rest/v1/options_pb.ts";

/** Scalars that are the same in a message's plain form and in JSON. */
const SAME_IN_JSON: readonly ScalarType[] = [
  ScalarType.STRING,
  ScalarType.BOOL,
  ScalarType.INT32,
  ScalarType.UINT32,
  ScalarType.SINT32,
  ScalarType.FIXED32,
  ScalarType.SFIXED32,
];

/** The one message of Google's own whose plain form is its JSON form. */
const STRUCT = "google.protobuf.Struct";

/** Plan for writing a message. */
interface Plan {
  readonly fields: readonly FieldPlan[];
  /** All names in their order. Copies of an object that JSON.parse made are quicker to fill and to write than new ones. */
  readonly template: JsonObject;
}

/** Plan for writing one field. */
interface FieldPlan {
  readonly jsonName: string;
  readonly localName: string;
  /** Name of the oneof that the field belongs to. */
  readonly oneof: string | undefined;
  /** JSON of a field that is not set; undefined leaves it out. */
  readonly unset: JsonValue | undefined;
  /** Absent: values go out as they are. */
  readonly inner: Plan | undefined;
}

/**
 * Writes messages from their plain form as ProtoJSON with every implicit field present, and null for unset fields that
 * have the option rest.v1.null_when_unset, without making a message first.
 * @returns undefined for messages that hold anything whose JSON form is another one: 64-bit integers, bytes, enums, maps …
 */
export function createPlainWriter<D extends DescMessage>(
  desc: D,
): ((plain: MessageInitShape<D>) => JsonObject) | undefined {
  if (!isPlain(desc, new Set())) return undefined;
  const plan = planOf(desc, new Map());
  return (plain) => write(plan, plain as PlainMessage);
}

type PlainMessage = Readonly<Record<string, unknown>>;

function write({ fields, template }: Plan, message: PlainMessage): JsonObject {
  const json: Record<string, unknown> = { ...template };
  for (const { jsonName, localName, oneof, unset, inner } of fields) {
    const value = oneof === undefined ? message[localName] : chosen(message[oneof], localName);
    // JSON.stringify leaves out what is undefined.
    if (value === undefined) json[jsonName] = unset;
    else if (inner === undefined) json[jsonName] = value;
    else if (Array.isArray(value)) json[jsonName] = value.map((element) => write(inner, element));
    else json[jsonName] = write(inner, value as PlainMessage);
  }
  return json as JsonObject;
}

/** The value of a oneof if it is this field that is set. */
function chosen(oneof: unknown, localName: string): unknown {
  const { case: name, value } = (oneof ?? {}) as { readonly case?: string; readonly value?: unknown };
  return name === localName ? value : undefined;
}

/** Whether the plain form of a message, and of all that can be in it, is its JSON form. */
function isPlain(desc: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(desc)) return true;
  seen.add(desc);
  if (desc.typeName.startsWith("google.protobuf.") || desc.file.edition !== Edition.EDITION_PROTO3) return false;
  return desc.fields.every((field) => {
    if (field.jsonName === "__proto__") return false;
    const message = messageOf(field);
    if (message !== undefined) return message.typeName === STRUCT || isPlain(message, seen);
    const scalar = field.fieldKind === "scalar" || (field.fieldKind === "list" && field.listKind === "scalar");
    return scalar && SAME_IN_JSON.includes(field.scalar);
  });
}

/** Plans refer to themselves where messages do; `made` holds those of the messages met so far. */
function planOf(desc: DescMessage, made: Map<DescMessage, Plan>): Plan {
  const known = made.get(desc);
  if (known !== undefined) return known;
  const fields: FieldPlan[] = [];
  const sorted = desc.fields.toSorted((a, b) => a.number - b.number);
  const names = sorted.map(({ jsonName }) => `${JSON.stringify(jsonName)}:null`);
  const plan = { fields, template: JSON.parse(`{${names.join()}}`) as JsonObject };
  made.set(desc, plan);
  for (const field of sorted) {
    const message = messageOf(field);
    fields.push({
      jsonName: field.jsonName,
      localName: field.localName,
      oneof: field.oneof?.localName,
      unset: unsetOf(field),
      inner: message === undefined || message.typeName === STRUCT ? undefined : planOf(message, made),
    });
  }
  return plan;
}

function unsetOf(field: DescField): JsonValue | undefined {
  if (getOption(field, null_when_unset)) return null;
  if (field.fieldKind === "list") return [];
  if (field.fieldKind !== "scalar" || field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  if (field.scalar === ScalarType.STRING) return "";
  return field.scalar === ScalarType.BOOL ? false : 0;
}

function messageOf(field: DescField): DescMessage | undefined {
  const isMessage = field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message");
  return isMessage ? field.message : undefined;
}
