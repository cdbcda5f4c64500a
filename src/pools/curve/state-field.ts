import { MAX_UINT256 } from "../../math/full-math.ts";

/** Encoding of one field of a state. Both functions throw RangeError for impossible values. */
export interface StateField<Value, Saved> {
  readonly write: (value: Value) => Saved;
  readonly read: (saved: Saved) => Value;
  /** A list with one entry for each of the pool's balances. */
  readonly perToken?: true;
}

/**
 * A line for every field of a state, none left out. Names and forms are those of the state's message in
 * proto/snapshot/v1/snapshot.proto; src/snapshot/states.ts does not compile where they differ.
 */
export type StateFields<S> = {
  readonly [F in keyof Required<S>]: {
    readonly write: (value: S[F]) => unknown;
    readonly read: (saved: never) => S[F];
    readonly perToken?: true;
  };
};

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

export const amount: StateField<bigint, string> = { write: String, read: natural };
export const amounts: StateField<readonly bigint[], string[]> = {
  write: (values) => values.map(String),
  read: (texts) => texts.map(natural),
};
export const twoAmounts: StateField<readonly [bigint, bigint], string[]> = {
  write: amounts.write,
  read: (texts) => twoOf(texts.map(natural)),
};
export const maybeAmount: StateField<bigint | undefined, string | undefined> = {
  write: (value) => (value === undefined ? undefined : String(value)),
  read: (text) => (text === undefined ? undefined : natural(text)),
};
export const whole: StateField<number, number> = { write: (value) => value, read: (value) => value };
export const maybeWhole: StateField<number | undefined, number | undefined> = {
  write: (value) => value,
  read: (value) => value,
};
/** 0 stands for none. */
export const maybeCount: StateField<number | undefined, number> = {
  write: (value) => value ?? 0,
  read: (value) => (value === 0 ? undefined : value),
};
/** One amount for each balance. */
export const amountsPerToken = { ...amounts, perToken: true } as const;
export const flag: StateField<boolean, boolean> = { write: (value) => value, read: (value) => value };
export const flagsPerToken: StateField<readonly boolean[], boolean[]> = {
  write: (values) => [...values],
  read: (values) => values,
  perToken: true,
};
/** There or not. */
export const maybeTrue: StateField<true | undefined, boolean> = {
  write: (value) => value === true,
  read: (value) => (value ? true : undefined),
};

/** One of a few words. `what` names them in the refusal of any other. */
export function oneOf<T extends string>(what: string, words: readonly T[]): StateField<T, string> {
  return {
    write: (word) => word,
    read: (text) => {
      const word = words.find((known) => known === text);
      if (word === undefined) throw new RangeError(`no ${what}: "${text}"`);
      return word;
    },
  };
}

export function twoOf<T>(values: readonly T[]): readonly [T, T] {
  const [first, second] = values;
  if (values.length !== 2 || first === undefined || second === undefined)
    throw new RangeError(`${values.length} values where two belong`);
  return [first, second];
}
