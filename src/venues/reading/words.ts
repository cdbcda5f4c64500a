import { keccak256 } from "viem";
import type { Address, Hex } from "../../domain/address.ts";

/** Reading and writing of ABI words. What reads answers undefined where the bytes do not hold what is asked for. */

/** Word `index` of ABI data as an unsigned number. */
export function uintAt(data: Hex, index: number, bits = 256): bigint | undefined {
  const start = 2 + index * 64;
  if (data.length < start + 64) return undefined;
  const value = BigInt(`0x${data.slice(start, start + 64)}`);
  return value >> BigInt(bits) === 0n ? value : undefined;
}

/** Word `index` of ABI data as a signed number in two's complement. */
export function intAt(data: Hex, index: number, bits = 256): bigint | undefined {
  const word = uintAt(data, index);
  if (word === undefined) return undefined;
  const value = BigInt.asIntN(256, word);
  return BigInt.asIntN(bits, value) === value ? value : undefined;
}

/** Word `index` of ABI data as an int24, the type of ticks. */
export function tickAt(data: Hex, index: number): number | undefined {
  const value = intAt(data, index, 24);
  return value === undefined ? undefined : Number(value);
}

/** Word `index` of ABI data as an address. */
export function addressAt(data: Hex, index: number): Address | undefined {
  const value = uintAt(data, index, 160);
  return value === undefined ? undefined : (`0x${value.toString(16).padStart(40, "0")}` as Address);
}

/** A number as one ABI word, without `0x`: the argument of a call. Below zero in two's complement. */
export function wordOf(value: number | bigint): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0");
}

/** Storage slot of a mapping's entry, as Solidity lays it out. `mapping`: the slot of the mapping itself. */
export function mappingSlot(key: bigint, mapping: number | bigint): Hex {
  return keccak256(`0x${wordOf(key)}${wordOf(mapping)}`);
}
