/** Scaled balances together: with more, products come near what the contracts can hold. */
const MAX_TOGETHER = 1n << 104n;
/** Scaled: a pool that holds less of one of its tokens has too few digits left to be counted on. */
export const MIN_OF_EACH = 10n ** 12n;
/** Largest ratio of all balances together to one token's balance. */
const MAX_APART = 10_000n;

/** Whether scaled balances are such that the contracts' arithmetic of an amplified invariant can be counted on. */
export function isInBounds(scaled: readonly bigint[]): boolean {
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const least = scaled.reduce((a, b) => (a < b ? a : b));
  return least >= MIN_OF_EACH && sum <= MAX_TOGETHER && sum <= MAX_APART * least;
}
