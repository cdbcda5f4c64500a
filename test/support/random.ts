/** Seeded random choices: the same seed gives the same run. */
export interface Random {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Whether a thing of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Log-uniform between two positive numbers. */
  logUniform(least: number, most: number): number;
}

/** Mulberry32: 32 bits of state, good enough to pick test cases with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    unit,
    chance: (probability) => unit() < probability,
    pick: (items) => {
      const item = items[Math.floor(unit() * items.length)];
      if (item === undefined) throw new RangeError("nothing to pick from");
      return item;
    },
    logUniform: (least, most) => least * (most / least) ** unit(),
  };
}
