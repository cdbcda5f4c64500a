import type { StableswapState } from "./state.ts";

/** Gas of one exchange: approval, both transfers, and Newton's method twice; test/promise/gas-of-pool-uses.test.ts. */
const BASE = 105_500n;
/** Each token beyond two: another balance in every round. */
const PER_TOKEN = 6_000n;
/** StableSwap-NG writes down averages as well, as its own pools use it (docs/gas.md). */
const NG_BASE = 133_500n;
const NG_PER_TOKEN = 15_500n;
/** A metapool asks another pool for its virtual price. */
const OF_METAPOOL = 35_000n;
/** Lista's check of its price works out two more balances; test/settlement/venues/pancake-stable.test.ts. */
const OF_CHECK = 40_000n;
/** Lista's oracle answers twice, through proxies and several feeds: an estimate, since no contract of ours does that. */
export const ORACLE_GAS = 100_000n;

export function stableswapGas({ balances, offpegFeeMultiplier, basePool, priceCheck }: StableswapState): bigint {
  const [base, perToken] = offpegFeeMultiplier === undefined ? [BASE, PER_TOKEN] : [NG_BASE, NG_PER_TOKEN];
  const more = (basePool === undefined ? 0n : OF_METAPOOL) + (priceCheck === undefined ? 0n : OF_CHECK + ORACLE_GAS);
  return base + perToken * BigInt(balances.length - 2) + more;
}

/**
 * Gas of one coin for shares or back: three invariants, or one and two balances, and the share's own slots; measured
 * (test/settlement/venues/curve-and-vault.test.ts).
 */
const SHARE_BASE = { add: 122_500n, remove: 83_000n };
const SHARE_PER_TOKEN = { add: 13_000n, remove: 9_000n };

export function stableswapShareGas(tokens: number, kind: "add" | "remove"): bigint {
  return SHARE_BASE[kind] + SHARE_PER_TOKEN[kind] * BigInt(tokens - 2);
}
