import { MAX_TOLD } from "./price-levels.ts";

/**
 * The protobuf message BebopPricingUpdate of docs.bebop.xyz (price-api) as the JSON of the same stream has it: pairs by
 * their tokens, levels as price and size. Undefined where the bytes are no such message.
 */
export function pricingOf(bytes: Buffer): unknown {
  try {
    const pairs: Record<string, unknown> = {};
    for (const { field, value } of fieldsOf(bytes, MAX_FIELDS.message))
      if (field === PAIRS) Object.assign(pairs, priceUpdateOf(value));
    return pairs;
  } catch {
    return undefined;
  }
}

// Numbers of the fields.
const PAIRS = 1;
const BASE = 1;
const QUOTE = 2;
const BIDS = 4;
const ASKS = 5;

/** Types of protobuf's wire format. */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const FLOAT_BYTES = 4;
/** Most fields of a message, and of one of its pairs: a field takes two bytes, and reading it much longer than those. */
const MAX_FIELDS = { message: 2 * MAX_TOLD.pairs, pair: 16 } as const;

function priceUpdateOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  const fields = new Map(fieldsOf(bytes, MAX_FIELDS.pair).map(({ field, value }) => [field, value]));
  const at = (field: number) => fields.get(field) ?? Buffer.alloc(0);
  const hex = (field: number) => `0x${at(field).toString("hex")}`;
  return { [`${hex(BASE)}/${hex(QUOTE)}`]: { bids: levelsOf(at(BIDS)), asks: levelsOf(at(ASKS)) } };
}

/** Packed floats: price, size, price, size … @throws RangeError past the end */
function levelsOf(packed: Buffer): readonly (readonly number[])[] {
  const levels: number[][] = [];
  for (let at = 0; at < packed.length && levels.length < MAX_TOLD.levels; at += 2 * FLOAT_BYTES) {
    levels.push([packed.readFloatLE(at), packed.readFloatLE(at + FLOAT_BYTES)]);
  }
  return levels;
}

/** Fields that hold bytes; numbers are passed over. @throws RangeError where the bytes are cut short, of another form or of more fields */
function fieldsOf(bytes: Buffer, most: number): readonly { readonly field: number; readonly value: Buffer }[] {
  const fields: { field: number; value: Buffer }[] = [];
  let [at, left] = [0, most];
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  while (at < bytes.length) {
    if (--left < 0) throw new RangeError(`more than ${most} fields`);
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type === WIRE.varint) varint();
    else if (type === WIRE.fixed64) at += 8;
    else if (type === WIRE.fixed32) at += 4;
    else if (type === WIRE.bytes) {
      const end = varint() + at;
      if (end > bytes.length) throw new RangeError("a field goes beyond the message");
      fields.push({ field, value: bytes.subarray(at, end) });
      at = end;
    } else throw new RangeError(`a field of type ${type}`);
  }
  return fields;
}
