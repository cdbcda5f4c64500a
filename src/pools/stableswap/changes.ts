/** Rounds of Newton's method, at most. */
const ROUNDS = 60;
/** A step that is so small a part of the whole was the last one: it squares what is left. */
const CLOSE = 1e-9;
/** Of what a balance has, the most that a guess takes. */
const MOST_TAKEN = 0.9;

/** How balances and the invariant of a pool change together, in floats and 18 decimals of the common value. */
export interface Changes {
  /** How much the invariant grows as the balances change. */
  invariant(changes: readonly number[]): number;
  /** How much one balance changes where the others and the invariant do; its own entry plays no part. */
  balance(changes: readonly number[], index: number, invariant: number): number;
  /** How much the invariant grows with each balance once all have changed. */
  slopes(changes: readonly number[], invariant: number): readonly number[];
}

/**
 * Between changes d of the balances x and the change dD of the invariant D stands
 * Ann (sum of d - dD) + dD = G (exp((n + 1) ln(1 + dD / D) - sum of ln(1 + d / x)) - 1) with
 * G = D^(n+1) / (n^n times the product of all balances): worked with changes, so that small trades lose no digits.
 */
export function changesAround(balances: readonly number[], D: number, ann: number): Changes {
  const count = balances.length;
  const G = balances.reduce((product, balance) => (product * D) / (balance * count), D);
  const exponentOf = (changes: readonly number[], dD: number) =>
    changes.reduce(
      (sum, change, i) => sum - Math.log1p(change / (balances[i] as number)),
      (count + 1) * Math.log1p(dD / D),
    );
  const total = (changes: readonly number[]) => changes.reduce((sum, change) => sum + change, 0);
  /** What is missing of the equation, how much it falls with D, and how much it grows with each balance. */
  const at = (changes: readonly number[], dD: number) => {
    const exponent = exponentOf(changes, dD);
    const grown = G * Math.exp(exponent);
    return {
      off: ann * (total(changes) - dD) + dD - G * Math.expm1(exponent),
      falls: ann - 1 + ((count + 1) * grown) / (D + dD),
      grows: (i: number) => ann + grown / ((balances[i] as number) + (changes[i] as number)),
    };
  };
  const slopes = (changes: readonly number[], dD: number) => {
    const { falls, grows } = at(changes, dD);
    return changes.map((_, i) => grows(i) / falls);
  };
  return {
    slopes,
    invariant(changes) {
      const first = slopes(
        balances.map(() => 0),
        0,
      );
      let dD = changes.reduce((sum, change, i) => sum + change * (first[i] as number), 0);
      for (let round = 0; round < ROUNDS; round++) {
        const { off, falls } = at(changes, dD);
        const step = off / falls;
        dD += step;
        if (Math.abs(step) <= CLOSE * Math.abs(dD)) break;
      }
      return dD;
    },
    balance(changes, index, dD) {
      const x = balances[index] as number;
      const own = slopes(
        balances.map(() => 0),
        0,
      )[index] as number;
      let change = Math.max(dD / own, -x * MOST_TAKEN);
      for (let round = 0; round < ROUNDS; round++) {
        const { off, grows } = at(changes.with(index, change), dD);
        const next = change - off / grows(index);
        // Newton's method may overstep: never to where nothing is left.
        const step = (next <= -x ? (change - x) / 2 : next) - change;
        change += step;
        if (Math.abs(step) <= CLOSE * Math.abs(change)) break;
      }
      return change;
    },
  };
}
