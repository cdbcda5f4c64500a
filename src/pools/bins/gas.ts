/** Gas of a swap within one bin, both transfers included; measured by test/promise/gas-of-pool-uses.test.ts. */
const SWAP = 70_000n;
/** Each bin more that it trades in: one slot written, two of the tree of bins read. */
const BIN = 16_000n;
/** Additional gas of an exact output: the pair is asked for the cost, and the output passes through the executor. */
const EXACT_OUT = 18_000n;
/** Asking what one bin more costs. */
const BIN_ASKED = 3_500n;

/** Hooks that are told of a swap: not measured, about what one takes that shares out rewards to a few bins. */
const HOOKS = 60_000n;
/** The most that hooks take beyond that, which share out rewards to eleven bins, never written before. */
const FIRST_HOOKS = 400_000n;

/** Gas of a swap that trades in so many bins, at least one. */
export function binsGas(bins: number, exactOut: boolean, hooked = false): bigint {
  const further = BigInt(Math.max(0, bins - 1));
  return SWAP + BIN * further + (exactOut ? EXACT_OUT + BIN_ASKED * further : 0n) + (hooked ? HOOKS : 0n);
}

/** The most that a first swap takes beyond that: the protocol's fees and the pair's own record of past bins, never written before. */
const FIRST_USE = 60_000n;

/** The most that a swap of `gas` by the model needs where nothing of the pair was ever written. */
export function mostBinsGas(gas: bigint, hooked = false): bigint {
  return gas + FIRST_USE + (hooked ? FIRST_HOOKS : 0n);
}
