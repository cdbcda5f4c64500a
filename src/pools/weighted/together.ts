import type { WeightedState } from "./state.ts";

/** Relative error of floats here. */
const WIDER = 1 + 2e-9;

/**
 * The most that uses of a pool can earn together, whatever their pairs and order, at these prices of its tokens' base units;
 * of one without a price nothing is traded.
 *
 * A pool use that sells to the pool and buys from it leaves the product of (balance with what came in, less the fee / balance)^weight
 * at one or more. With what came in and what went out of each token in sum, in or out as the sum is, the same holds for the
 * balances in which the first pool use found the pool: fees that stay in it make it no cheaper. So no uses earn more than the
 * best sums do, in which each token that goes out ends with price * balance / weight at one level k, each that comes in at
 * k * (1 - fee), and all others between these.
 */
export function mostEarnedTogether(
  { balances, weights, swapFee }: WeightedState,
  prices: readonly (number | undefined)[],
): number {
  const keeps = 1 - Number(swapFee) / 1e18;
  const tokens = balances.flatMap((balance, i) => {
    const price = prices[i];
    const weight = Number(weights[i]) / 1e18;
    return price === undefined ? [] : [{ weight, level: (price * Number(balance)) / weight }];
  });
  /** By how much all that goes out at a level is more than what comes in leaves room for, and the weight of all of it. */
  const at = (k: number): { readonly missing: number; readonly weight: number } => {
    let [missing, weight] = [0, 0];
    for (const token of tokens) {
      const part = token.level > k ? k / token.level : (keeps * k) / token.level;
      if (token.level <= k && part <= 1) continue;
      missing -= token.weight * Math.log(part);
      weight += token.weight;
    }
    return { missing, weight };
  };
  const kinks = tokens.flatMap(({ level }) => [level, level / keeps]).sort((a, b) => a - b);
  const last = kinks.findIndex((k) => at(k).missing <= 0);
  const before = kinks[last - 1];
  const behind = kinks[last];
  if (before === undefined || behind === undefined) return 0;
  // Between kinks what is missing falls evenly with the logarithm of the level.
  const middle = Math.sqrt(before * behind);
  const { missing, weight } = at(middle);
  const k = weight === 0 ? middle : Math.min(behind, Math.max(before, middle * Math.exp(missing / weight)));
  const earned = tokens.reduce((sum, token) => {
    if (token.level > k) return sum + token.weight * (token.level - k);
    const more = keeps * k - token.level;
    return more > 0 ? sum - (token.weight * more) / keeps : sum;
  }, 0);
  const moved = tokens.reduce((sum, { weight: part, level }) => sum + part * Math.abs(level - k), 0);
  return Math.max(0, earned) + (WIDER - 1) * moved;
}
