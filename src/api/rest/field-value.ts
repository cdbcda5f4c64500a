import { type DescField, type JsonValue, ScalarType } from "@bufbuild/protobuf";

/** The JSON form of one element of `field` written as text, or why it cannot be one. */
export function valueFromText(
  field: DescField,
  text: string,
): { readonly json: JsonValue } | { readonly wrong: string } {
  if (field.enum !== undefined) {
    const known = field.enum.values.find((value) => value.name === text || String(value.number) === text);
    return known === undefined
      ? { wrong: `must be one of ${field.enum.values.map((value) => value.name).join(", ")}` }
      : { json: known.name };
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return { json: text };
    case ScalarType.BYTES:
      return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? { json: text } : { wrong: "must be base64" };
    case ScalarType.BOOL:
      return text === "true" || text === "false" ? { json: text === "true" } : { wrong: "must be true or false" };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return float(field.scalar, text);
    case undefined:
      return { wrong: "cannot be given in a query, but in a body of JSON (POST)" };
    default:
      return integer(field.scalar, text);
  }
}

/** Why a JSON value cannot stand for one element of a string or bool field, or a number for one of an integer. All else is left to ProtoJSON. */
export function wrongJsonType(field: DescField, value: JsonValue): string | undefined {
  if (field.scalar === ScalarType.STRING) {
    if (typeof value !== "string") return "must be a JSON string";
    if (!value.isWellFormed()) return "must be Unicode text";
  }
  if (field.scalar === ScalarType.BOOL && typeof value !== "boolean") return "must be true or false";
  if (typeof value === "number" && isInteger(field.scalar)) {
    const parsed = integer(field.scalar, String(value));
    return "wrong" in parsed ? parsed.wrong : undefined;
  }
  return undefined;
}

function isInteger(scalar: ScalarType | undefined): scalar is ScalarType {
  const others = [ScalarType.STRING, ScalarType.BYTES, ScalarType.BOOL, ScalarType.FLOAT, ScalarType.DOUBLE];
  return scalar !== undefined && !others.includes(scalar);
}

function float(scalar: ScalarType, text: string): { readonly json: JsonValue } | { readonly wrong: string } {
  if (/^(NaN|-?Infinity)$/.test(text)) return { json: text };
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return { wrong: "must be a number" };
  const value = scalar === ScalarType.FLOAT ? Math.fround(Number(text)) : Number(text);
  return Number.isFinite(value) ? { json: text } : { wrong: "is too large" };
}

function integer(scalar: ScalarType, text: string): { readonly json: JsonValue } | { readonly wrong: string } {
  const [least, most] = integerRange(scalar);
  if (!/^-?\d{1,20}$/.test(text)) return { wrong: "must be an integer" };
  const value = BigInt(text);
  return value < least || value > most ? { wrong: `must be between ${least} and ${most}` } : { json: value.toString() };
}

function integerRange(scalar: ScalarType): readonly [bigint, bigint] {
  switch (scalar) {
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return [0n, 2n ** 32n - 1n];
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return [0n, 2n ** 64n - 1n];
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return [-(2n ** 31n), 2n ** 31n - 1n];
    default:
      return [-(2n ** 63n), 2n ** 63n - 1n];
  }
}
