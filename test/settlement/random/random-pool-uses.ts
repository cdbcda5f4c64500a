import fc from "fast-check";
import type { PoolUse } from "../../../fixtures/settlement/routes.ts";
import type { Address } from "../../../src/domain/address.ts";

/** Amounts of so many digits behind their first, in base units. */
export function amountsOf(digits: { readonly min: number; readonly max: number }): fc.Arbitrary<bigint> {
  return fc
    .tuple(fc.integer(digits), fc.integer({ min: 1_000, max: 9_999 }))
    .map(([zeros, head]) => (BigInt(head) * 10n ** BigInt(zeros)) / 1_000n);
}

export const percents = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 8, maxLength: 8 });

/** Uses of the pools that `mask` chooses among these, the first where that is none; the last takes what is left. */
export function split(
  mask: number,
  pools: readonly Address[],
  from: Address,
  to: Address,
  shares: readonly number[],
): PoolUse[] {
  const chosen = pools.filter((_, i) => (mask >> i) & 1);
  const used = chosen.length === 0 ? pools.slice(0, 1) : chosen;
  return used.map((pool, i): PoolUse => [pool, from, to, i === used.length - 1 ? 100 : shares[i]!]);
}
