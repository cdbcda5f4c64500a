import { addressOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";

const ONE = 10n ** 18n;

/** A stable pool, not far from its peg where its balances are the same, that a route uses for one pair of its tokens. */
export function stableOf(n: number, tokens: readonly Address[], balances: readonly bigint[]): Pool {
  return {
    id: addressOf(n, "pool"),
    source: "Curve",
    tokens,
    curve: "stableswap",
    state: {
      ...{ balances, rates: tokens.map(() => ONE), initialA: 2000n, futureA: 2000n, initialATime: 0n },
      ...{ futureATime: 0n, aPrecision: 100n, fee: 4_000_000n, adminFee: 0n, generation: "ng", killed: false },
    },
  };
}
