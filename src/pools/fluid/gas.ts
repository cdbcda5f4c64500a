/**
 * Gas of a swap through one side, both transfers and an approval included. A transaction that only swaps took 143,000 to 155,000
 * with the makers' own contracts, and 177,000 to 180,000 through both sides.
 */
const ONE_SIDE = 150_000n;
/** Gas that a second side takes more. */
const SECOND_SIDE = 35_000n;
/** Further gas of an exact output: the pool is asked what it costs, and what comes goes by the executor. */
const EXACT_OUT = 60_000n;
/** The most that a swap takes beyond that: the rates of both tokens are written as well, once a day or when they move. */
export const RATES_WRITTEN = 40_000n;

/** Gas of a swap through one side of a pool or both. */
export function fluidGas(sides: 1 | 2, exactOut: boolean): bigint {
  return ONE_SIDE + (sides === 2 ? SECOND_SIDE : 0n) + (exactOut ? EXACT_OUT : 0n);
}
