import { type DescMessage, getOption, type JsonObject, type MessageShape, toJson } from "@bufbuild/protobuf";
import { null_when_unset } from "#gen/rest/v1/options_pb.ts";

/** Which fields of a message become null, and where to look deeper. */
interface NullPlan {
  readonly nulls: readonly string[];
  readonly nested: readonly { readonly name: string; readonly list: boolean; readonly plan: NullPlan }[];
}

/**
 * Writes messages of one type as REST answers: ProtoJSON with every implicit field present, and JSON null for unset
 * fields that have the option rest.v1.null_when_unset.
 */
export function createRenderer<D extends DescMessage>(desc: D): (message: MessageShape<D>) => string {
  const plan = planOf(desc, new Set());
  return (message) => {
    const json = toJson(desc, message, { alwaysEmitImplicit: true }) as JsonObject;
    if (plan !== undefined) fillNulls(json, plan);
    return JSON.stringify(json);
  };
}

/** Undefined when nothing below needs nulls. Messages that contain themselves are looked into once. */
function planOf(desc: DescMessage, above: ReadonlySet<string>): NullPlan | undefined {
  if (above.has(desc.typeName)) return undefined;
  const inside = new Set([...above, desc.typeName]);
  const nulls = desc.fields.filter((field) => getOption(field, null_when_unset)).map((field) => field.jsonName);
  const nested = desc.fields.flatMap((field) => {
    const list = field.fieldKind === "list" && field.listKind === "message";
    if (field.fieldKind !== "message" && !list) return [];
    const plan = planOf(field.message, inside);
    return plan === undefined ? [] : [{ name: field.jsonName, list, plan }];
  });
  return nulls.length === 0 && nested.length === 0 ? undefined : { nulls, nested };
}

function fillNulls(json: JsonObject, plan: NullPlan): void {
  for (const { name, list, plan: inner } of plan.nested) {
    const value = json[name];
    if (value === undefined || value === null) continue;
    for (const element of list ? (value as JsonObject[]) : [value as JsonObject]) fillNulls(element, inner);
  }
  for (const name of plan.nulls) if (!(name in json)) json[name] = null;
}
