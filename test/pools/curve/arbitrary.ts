import fc from "fast-check";

/** Positive integers of up to `bits` bits, every length alike. */
export function amountOfBits(bits: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 1, max: bits })
    .chain((length) => fc.bigInt({ min: 1n << BigInt(length - 1), max: (1n << BigInt(length)) - 1n }));
}
