import type { TricryptoGeneration } from "./state.ts";

/**
 * Gas of one exchange, approval included, in the middle of what pools of twocrypto-NG and tricrypto-NG themselves use: 127,000
 * to 164,000 and 151,000 to 182,000, by whether they move the internal price afterwards, which is not told beforehand
 * (docs/gas.md). 3,500 of it are the way to the executor's part.
 */
const OF_TWO = 148_500n;
const OF_THREE = 166_500n;
/** Before NG the maths is a contract of its own and Newton's method finds all: an estimate, not measured. */
const BEFORE_NG = 330_000n;
/** Further gas at most by the same estimate: rounds of Newton's method, and a move of the internal price. */
export const MAX_MORE_BEFORE_NG = 200_000n;

export function cryptoswapGas(tokens: number, generation: TricryptoGeneration | undefined): bigint {
  if (generation !== undefined) return BEFORE_NG;
  return tokens === 2 ? OF_TWO : OF_THREE;
}
