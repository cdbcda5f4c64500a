import { createRandom as createIntegers, type Random as Integers } from "../../src/devnet/random.ts";

/** Seeded random choices: the same seed gives the same run. */
export interface Random extends Integers {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Whether a thing of this probability happens. */
  chance(probability: number): boolean;
  /** Log-uniform between two positive numbers. */
  logUniform(least: number, most: number): number;
}

export function createRandom(seed: number): Random {
  const { below, pick } = createIntegers(seed);
  const unit = () => below(2 ** 32) / 2 ** 32;
  return {
    below,
    pick,
    unit,
    chance: (probability) => unit() < probability,
    logUniform: (least, most) => least * (most / least) ** unit(),
  };
}
