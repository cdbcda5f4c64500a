/** Numbers from a seed, for runs that must be the same every time. */
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

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1));
  const ofBits = (bits: number) => {
    const length = int(1, bits);
    let value = 1n;
    for (let bit = 1; bit < length; bit++) value = (value << 1n) | (unit() < 0.5 ? 1n : 0n);
    return value;
  };
  return {
    int,
    ofBits,
    between(low, high) {
      const span = Math.log(Number(high)) - Math.log(Number(low));
      const value = BigInt(Math.floor(Math.exp(Math.log(Number(low)) + unit() * span)));
      const blurred = value + (value >> 30n) - BigInt(int(0, 1000));
      return blurred < low ? low : blurred > high ? high : blurred;
    },
    pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number],
    chance: (probability) => unit() < probability,
  };
}
