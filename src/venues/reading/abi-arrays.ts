import { hexToString } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import { addressAt, uintAt } from "./words.ts";

/** More is no pool of a factory that is known. */
const MAX_ENTRIES = 100n;

/** A dynamic array of ABI data, its place in argument `index`; `read` gives the entry at a word. Undefined where it is none. */
export function arrayAt<T>(data: Hex, index: number, read: (word: number) => T | undefined): readonly T[] | undefined {
  const offset = uintAt(data, index, 32);
  if (offset === undefined || offset % 32n !== 0n) return undefined;
  const first = Number(offset / 32n);
  const count = uintAt(data, first);
  if (count === undefined || count > MAX_ENTRIES) return undefined;
  const entries = Array.from({ length: Number(count) }, (_, i) => read(first + 1 + i));
  return entries.some((entry) => entry === undefined) ? undefined : (entries as readonly T[]);
}

export function addressesIn(data: Hex, index: number): readonly Address[] | undefined {
  return arrayAt(data, index, (word) => addressAt(data, word));
}

export function uintsIn(data: Hex, index: number, bits = 256): readonly bigint[] | undefined {
  return arrayAt(data, index, (word) => uintAt(data, word, bits));
}

/** A text that takes one word at most; undefined where it is none. */
export function textAt(data: Hex, index: number): string | undefined {
  const offset = uintAt(data, index, 32);
  if (offset === undefined || offset % 32n !== 0n) return undefined;
  const first = Number(offset / 32n);
  const length = uintAt(data, first, 8);
  const start = 2 + (first + 1) * 64;
  if (length === undefined || length > 32n || data.length < start + 64) return undefined;
  return hexToString(`0x${data.slice(start, start + 2 * Number(length))}`);
}
