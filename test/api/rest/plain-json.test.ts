import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { null_when_unset } from "#gen/rest/v1/options_pb.ts";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { createPlainWriter } from "../../../src/api/rest/plain-json.ts";
import { createShelfService } from "./shelf-service.ts";

/** A message's plain form: any of its fields, or none. Deep messages are rare, so that it ends. */
function plainOf(desc: DescMessage, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const singles = desc.fields.filter((field) => field.oneof === undefined);
  const fields = Object.fromEntries(singles.map((field) => [field.localName, anyOf(field, depth)]));
  const oneofs = desc.oneofs.map(
    (oneof) =>
      [
        oneof.localName,
        fc.oneof(
          ...oneof.fields.map((field) => fc.record({ case: fc.constant(field.localName), value: anyOf(field, depth) })),
        ),
      ] as const,
  );
  return fc.record({ ...fields, ...Object.fromEntries(oneofs) }, { requiredKeys: [] });
}

function anyOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const element = elementOf(field, depth);
  return field.fieldKind === "list" ? fc.array(element, { maxLength: depth > 1 ? 1 : 3 }) : element;
}

function elementOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message?.typeName === "google.protobuf.Struct") return fc.dictionary(fc.string(), fc.string());
  if (field.message !== undefined) return plainOf(field.message, depth + 1);
  if (field.scalar === ScalarType.STRING) return fc.string({ unit: "binary" });
  if (field.scalar === ScalarType.BOOL) return fc.boolean();
  return fc.nat();
}

/** Puts null where an option asks for it, in a message's JSON form. */
function withNulls(desc: DescMessage, json: JsonObject): JsonObject {
  const entries = desc.fields.flatMap((field): [string, unknown][] => {
    const value = json[field.jsonName];
    if (value === undefined) return getOption(field, null_when_unset) ? [[field.jsonName, null]] : [];
    const inner = field.message;
    if (inner === undefined || inner.typeName.startsWith("google.")) return [[field.jsonName, value]];
    const each = (element: unknown) => withNulls(inner, element as JsonObject);
    return [[field.jsonName, Array.isArray(value) ? value.map(each) : each(value)]];
  });
  return Object.fromEntries(entries) as JsonObject;
}

test.each(SwapService.methods.map((method) => [method.output.name, method.output] as const))(
  "%s is written as protobuf's own JSON would be, with its nulls",
  (_, desc) => {
    const write = createPlainWriter(desc);
    if (write === undefined) return expect.fail("it cannot be written from its plain form");
    fc.assert(
      fc.property(plainOf(desc), (plain) => {
        const message = create(desc, plain);
        const expected = withNulls(desc, toJson(desc, message, { alwaysEmitImplicit: true }) as JsonObject);
        expect(JSON.parse(JSON.stringify(write(plain)))).toEqual(expected);
        // A message is a plain form too.
        expect(JSON.parse(JSON.stringify(write(message)))).toEqual(expected);
      }),
      { numRuns: 200, seed: 20261121 },
    );
  },
);

test("messages with 64-bit integers, bytes or enums are left to protobuf", () => {
  const [method] = createShelfService("/v1/echo").methods;
  expect(createPlainWriter(method!.output)).toBeUndefined();
});
