import { MAX_UINT256 } from "../math/full-math.ts";

/** How one field of a state stands in the file. Both throw RangeError for what cannot be. */
export interface Field<Value, Wire> {
  readonly write: (value: Value) => Wire;
  readonly read: (wire: Wire) => Value;
}

/** A whole number in decimal, below zero too. */
export function integer(text: string): bigint {
  if (!/^(0|-?[1-9]\d{0,77})$/.test(text)) throw new RangeError(`not an integer: "${text}"`);
  return BigInt(text);
}

/** An unsigned integer of 256 bits in decimal. */
export function natural(text: string): bigint {
  const value = integer(text);
  if (value < 0n || value > MAX_UINT256) throw new RangeError(`not an unsigned integer: "${text}"`);
  return value;
}

export const amount: Field<bigint, string> = { write: String, read: natural };
export const amounts: Field<readonly bigint[], string[]> = {
  write: (values) => values.map(String),
  read: (texts) => texts.map(natural),
};
export const twoAmounts: Field<readonly [bigint, bigint], string[]> = {
  write: amounts.write,
  read: (texts) => twoOf(texts.map(natural)),
};
export const maybeAmount: Field<bigint | undefined, string | undefined> = {
  write: (value) => (value === undefined ? undefined : String(value)),
  read: (text) => (text === undefined ? undefined : natural(text)),
};
export const whole: Field<number, number> = { write: (value) => value, read: (value) => value };
/** 0 stands for none. */
export const maybeCount: Field<number | undefined, number> = {
  write: (value) => value ?? 0,
  read: (value) => (value === 0 ? undefined : value),
};
export const flag: Field<boolean, boolean> = { write: (value) => value, read: (value) => value };
/** False stands for absent. */
export const maybeTrue: Field<true | undefined, boolean> = {
  write: (value) => value === true,
  read: (value) => (value ? true : undefined),
};
export const flags: Field<readonly boolean[], boolean[]> = { write: (values) => [...values], read: (values) => values };

export function twoOf<T>(values: readonly T[]): readonly [T, T] {
  const [first, second] = values;
  if (values.length !== 2 || first === undefined || second === undefined)
    throw new RangeError(`${values.length} values where two belong`);
  return [first, second];
}
