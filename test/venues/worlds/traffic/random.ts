import { createRandom as createUnits } from "../../../../fixtures/random.ts";

/** Amounts, ticks and choices from a seed. */
export interface Random {
  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** A positive integer of random length: between 1 and `bits` bits. */
  ofBits(bits: number): bigint;
  /** A value between low and high whose logarithm is even. */
  between(low: bigint, high: bigint): bigint;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random {
  const { unit, pick, chance, logUniform } = createUnits(seed);
  const int = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1));
  return {
    int,
    pick,
    chance,
    ofBits(bits) {
      const length = int(1, bits);
      let value = 1n;
      for (let bit = 1; bit < length; bit++) value = (value << 1n) | (chance(0.5) ? 1n : 0n);
      return value;
    },
    between(low, high) {
      const value = BigInt(Math.floor(logUniform(Number(low), Number(high))));
      // The last digits of a double are always the same few: others are wanted too.
      const blurred = value + (value >> 30n) - BigInt(int(0, 1000));
      return blurred < low ? low : blurred > high ? high : blurred;
    },
  };
}
