import type { Hex } from "../domain/address.ts";

/** Reads bytes one field after another and never past the end. */
export interface ByteReader {
  /** The next `size` bytes as lower-case hex. @throws RangeError past the end. */
  hex(size: number): Hex;
  /** The next `size` bytes as an unsigned big-endian integer. @throws RangeError past the end. */
  uint(size: number): bigint;
  /** Number of bytes left. */
  left(): number;
}

/** @throws RangeError when `bytes` is not an even number of hex digits after `0x`. */
export function byteReader(bytes: string): ByteReader {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(bytes)) throw new RangeError("not bytes");
  const digits = bytes.slice(2).toLowerCase();
  let at = 0;
  const left = () => (digits.length - at) / 2;
  const hex = (size: number): Hex => {
    if (!(size >= 0 && size <= left())) throw new RangeError(`${size} bytes wanted, ${left()} left`);
    const taken = digits.slice(at, at + 2 * size);
    at += 2 * size;
    return `0x${taken}`;
  };
  return { hex, uint: (size) => (size === 0 ? 0n : BigInt(hex(size))), left };
}
