/** Rounds of Newton's method, at most. */
const ROUNDS = 60;
/** A step that is so small a part of the whole was the last one: it squares what is left. */
const CLOSE = 1e-9;

/** Joint changes of balances and invariant of a pool, in floats and 18 decimals of the common value. */
export interface JointChanges {
  /** Change of the invariant for changes of the balances; `guess` is the start, by default the linear estimate. */
  invariant(changes: Float64Array, guess?: number): number;
  /** Change of one balance for changes of the others and of the invariant; its own entry is ignored. */
  balance(changes: Float64Array, index: number, invariant: number): number;
  /** Writes the derivatives of the invariant by each balance after all changes into `slopes`. */
  slopes(changes: Float64Array, invariant: number, slopes: Float64Array): void;
}

/**
 * Between changes d of the balances x and the change dD of the invariant D stands
 * Ann (sum of d - dD) + dD = G ((1 + dD / D)^(n + 1) / product of (1 + d / x) - 1) with G = D^(n+1) / (n^n times the
 * product of all balances). What is left of powers and products without the one is worked out by itself, so that small
 * trades lose no digits.
 */
export function changesAround(balances: readonly number[], D: number, ann: number): JointChanges {
  const count = balances.length;
  const held = Float64Array.from(balances);
  const G = balances.reduce((product, balance) => (product * D) / (balance * count), D);
  const first = new Float64Array(count);

  /** (1 + part)^(n + 1) - 1. */
  const powerOf = (part: number): number => {
    let grown = part;
    for (let i = 0; i < count; i++) grown += part + grown * part;
    return grown;
  };
  /** Product of (1 + d / x) - 1 over all balances but one. */
  const productOf = (changes: Float64Array, without: number): number => {
    let grown = 0;
    for (let i = 0; i < count; i++) {
      if (i === without) continue;
      const part = (changes[i] as number) / (held[i] as number);
      grown += part + grown * part;
    }
    return grown;
  };
  const totalOf = (changes: Float64Array, without: number): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) if (i !== without) sum += changes[i] as number;
    return sum;
  };
  const slopes = (changes: Float64Array, dD: number, into: Float64Array): void => {
    const grown = (G * (1 + powerOf(dD / D))) / (1 + productOf(changes, -1));
    const falls = ann - 1 + ((count + 1) * grown) / (D + dD);
    for (let i = 0; i < count; i++) {
      into[i] = (ann + grown / ((held[i] as number) + (changes[i] as number))) / falls;
    }
  };
  slopes(new Float64Array(count), 0, first);

  return {
    slopes,
    invariant(changes, guess) {
      const added = ann * totalOf(changes, -1);
      const product = productOf(changes, -1);
      let dD = guess ?? 0;
      if (guess === undefined) for (let i = 0; i < count; i++) dD += (changes[i] as number) * (first[i] as number);
      for (let round = 0; round < ROUNDS; round++) {
        const power = powerOf(dD / D);
        const off = added - (ann - 1) * dD - (G * (power - product)) / (1 + product);
        const falls = ann - 1 + ((count + 1) * G * (1 + power)) / ((1 + product) * (D + dD));
        const step = off / falls;
        dD += step;
        if (Math.abs(step) <= CLOSE * Math.abs(dD)) break;
      }
      return dD;
    },
    // With the others fixed it is Ann d² + (Ann x + b + G) d + x (b - G F) = 0 for b = Ann (sum of the others - dD) + dD and
    // F, what (1 + dD / D)^(n + 1) over the others' product leaves without the one.
    balance(changes, index, dD) {
      const x = held[index] as number;
      const product = productOf(changes, index);
      const rest = ann * totalOf(changes, index) - (ann - 1) * dD;
      const missing = rest - (G * (powerOf(dD / D) - product)) / (1 + product);
      const linear = ann * x + rest + G;
      return (-2 * x * missing) / (linear + Math.sqrt(linear * linear - 4 * ann * x * missing));
    },
  };
}
