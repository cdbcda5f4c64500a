import { create, createFileRegistry, type DescService, setExtension } from "@bufbuild/protobuf";
import {
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  MethodOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { http } from "#gen/google/api/annotations_pb.ts";
import { HttpRuleSchema } from "#gen/google/api/http_pb.ts";
import { comma_separated, null_when_unset } from "#gen/rest/v1/options_pb.ts";

const SCALARS = {
  text: Type.STRING,
  flag: Type.BOOL,
  raw_bytes: Type.BYTES,
  i32: Type.INT32,
  i64: Type.INT64,
  u32: Type.UINT32,
  u64: Type.UINT64,
  s32: Type.SINT32,
  f64: Type.FIXED64,
  ratio: Type.DOUBLE,
  s64: Type.SINT64,
  f32: Type.FIXED32,
  sf32: Type.SFIXED32,
  sf64: Type.SFIXED64,
  single: Type.FLOAT,
};

/** A service that has nothing to do with swaps: every kind of field, nested messages, path variables. */
export function createShelfService(get: string, more: readonly string[] = []): DescService {
  let number = 0;
  const field = (name: string, type: Type, rest: object = {}) =>
    create(FieldDescriptorProtoSchema, {
      name,
      jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      number: ++number,
      type,
      label: Label.OPTIONAL,
      ...rest,
    });
  const nullable = () => {
    const options = create(FieldOptionsSchema);
    setExtension(options, null_when_unset, true);
    return options;
  };
  const commas = create(FieldOptionsSchema);
  setExtension(commas, comma_separated, true);
  const optional = (oneofIndex: number) => ({ proto3Optional: true, oneofIndex });

  const inner = {
    name: "Inner",
    field: [
      field("deep_text", Type.STRING, { ...optional(0), options: nullable() }),
      field("again", Type.MESSAGE, { typeName: ".shelf.v1.Inner" }),
    ],
    oneofDecl: [{ name: "_deep_text" }],
  };
  const everything = {
    name: "Everything",
    field: [
      ...Object.entries(SCALARS).map(([name, type]) => field(name, type)),
      field("color", Type.ENUM, { typeName: ".shelf.v1.Color" }),
      field("many", Type.STRING, { label: Label.REPEATED }),
      field("numbers", Type.INT32, { label: Label.REPEATED, options: commas }),
      field("inner", Type.MESSAGE, { typeName: ".shelf.v1.Inner" }),
      field("inners", Type.MESSAGE, { typeName: ".shelf.v1.Inner", label: Label.REPEATED }),
      field("unset", Type.STRING, { ...optional(0), options: nullable() }),
      field("left_out", Type.STRING, optional(1)),
      field("left", Type.STRING, { oneofIndex: 2 }),
      field("right", Type.INT32, { oneofIndex: 2 }),
      field("tags", Type.MESSAGE, { typeName: ".shelf.v1.Everything.TagsEntry", label: Label.REPEATED }),
    ],
    oneofDecl: [{ name: "_unset" }, { name: "_left_out" }, { name: "side" }],
    nestedType: [
      {
        name: "TagsEntry",
        options: { mapEntry: true },
        field: [
          { name: "key", number: 1, type: Type.STRING, label: Label.OPTIONAL, jsonName: "key" },
          { name: "value", number: 2, type: Type.STRING, label: Label.OPTIONAL, jsonName: "value" },
        ],
      },
    ],
  };
  const rule = (path: string) => create(HttpRuleSchema, { pattern: { case: "get", value: path } });
  const options = create(MethodOptionsSchema);
  const additionalBindings = more.map(rule);
  setExtension(options, http, create(HttpRuleSchema, { pattern: { case: "get", value: get }, additionalBindings }));
  const file = create(FileDescriptorProtoSchema, {
    name: "shelf/v1/shelf.proto",
    package: "shelf.v1",
    syntax: "proto3",
    messageType: [inner, everything],
    enumType: [
      {
        name: "Color",
        value: [
          { name: "COLOR_UNSPECIFIED", number: 0 },
          { name: "COLOR_RED", number: 1 },
        ],
      },
    ],
    service: [
      {
        name: "ShelfService",
        method: [{ name: "Echo", inputType: ".shelf.v1.Everything", outputType: ".shelf.v1.Everything", options }],
      },
    ],
  });
  const service = createFileRegistry(file, () => undefined).getService("shelf.v1.ShelfService");
  if (service === undefined) throw new Error("the test service is not in its own file");
  return service;
}
