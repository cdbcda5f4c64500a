import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { Pool } from "../../pools/pool.ts";

/** Totals over all pools of a token. */
export interface TokenTotal {
  readonly pools: number;
  /** Base units of the token that they take until their prices have moved by 2 %. */
  readonly depth: bigint;
}

/** Depths of a pool's tokens, in their order. */
export type PoolDepths = readonly bigint[];

/** Pools and depth of every token, kept by what changes. The native token counts as its wrapper: either trades in pools of the other. */
export class TokenTotals {
  readonly #totals = new Map<Address, TokenTotal>();
  readonly #wrappedNative: Address;

  constructor(wrappedNative: Address) {
    this.#wrappedNative = wrappedNative;
  }

  /** Tokens that pools hold. */
  tokens(): Iterable<Address> {
    return this.#totals.keys();
  }

  of(token: Address): TokenTotal | undefined {
    return this.#totals.get(this.#keyOf(token));
  }

  /** Counts a pool in (1) or out (-1); answers its tokens as they are counted. */
  count(pool: Pool, depths: PoolDepths, sign: 1 | -1): ReadonlySet<Address> {
    const counted = new Set<Address>();
    for (const [index, token] of pool.tokens.entries()) {
      const key = this.#keyOf(token);
      const { pools, depth } = this.#totals.get(key) ?? { pools: 0, depth: 0n };
      const left = { pools: counted.has(key) ? pools : pools + sign, depth: depth + BigInt(sign) * depths[index]! };
      counted.add(key);
      if (left.pools > 0) this.#totals.set(key, left);
      else this.#totals.delete(key);
    }
    return counted;
  }

  #keyOf(token: Address): Address {
    return token === NATIVE_TOKEN ? this.#wrappedNative : token;
  }
}
