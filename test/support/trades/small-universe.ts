import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";

/** A few tokens with values and decimals of their own, and pools of both kinds around these values. */
export interface SmallUniverse {
  readonly pools: readonly Pool[];
  readonly tokens: readonly Address[];
  /** Worth of a base unit of each token, in no unit. */
  readonly worth: ReadonlyMap<Address, number>;
  /** Worth of the pools' mean side. */
  readonly depth: number;
}

/** Pools stand off the values by less than a quarter of their fee: no cycle of up to four of them earns anything. */
export function smallUniverse(seed: number): SmallUniverse {
  const random = randomOf(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const tokens = Array.from({ length: 3 + Math.floor(random() * 3) }, (_, i) => addressOf(i + 1));
  const worth = new Map(tokens.map((token) => [token, 10 ** -between(6, 18)]));
  const count = tokens.length + 1 + Math.floor(random() * 5);
  const depth = 10 ** between(3, 6);
  const pools = Array.from({ length: count }, (_, i) => {
    const first = i < tokens.length ? i : Math.floor(random() * tokens.length);
    const second =
      i < tokens.length
        ? (i + 1) % tokens.length
        : (first + 1 + Math.floor(random() * (tokens.length - 1))) % tokens.length;
    const pair = [tokens[Math.min(first, second)] as Address, tokens[Math.max(first, second)] as Address] as const;
    const [worth0, worth1] = pair.map((token) => worth.get(token) as number) as [number, number];
    const value = depth * 10 ** between(-1, 1);
    const off = 1 + 0.003 * between(-0.24, 0.24);
    if (random() < 0.4) {
      const tick = Math.round(Math.log((worth0 / worth1) * off) / Math.log(1.0001));
      const liquidity = BigInt(Math.round((value * between(1, 10)) / Math.sqrt(worth0 * worth1)));
      return concentratedOf(i, pair, tick, liquidity, { width: 5 + Math.floor(random() * 40) });
    }
    return pairOf(i, pair, [BigInt(Math.round(value / worth0)), BigInt(Math.round((value * off) / worth1))]);
  });
  return { pools, tokens, worth, depth };
}
