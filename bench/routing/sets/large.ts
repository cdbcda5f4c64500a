import { randomOf } from "../../../fixtures/random.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { heldBy } from "../../../fixtures/universes/held.ts";
import {
  concentratedPool,
  readTickMaps,
  TIERS,
  type TickMap,
  withLiquidity,
} from "../../../fixtures/universes/mixed.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";

/** Tokens that all copies have in common: those that most pools hold. */
const HUBS = 50;
/** Part of the pools that become concentrated ones on a real tick map. */
const CONCENTRATED = 0.25;
/** Spread of the copies of one pool in size, in powers of ten either way. */
const SPREAD = 1;

export interface LargePools {
  readonly pools: readonly Pool[];
  readonly values: ReadonlyMap<Address, number>;
}

/**
 * Copies of real constant-product pools that are free of arbitrage, until there are `count`: the best-connected tokens
 * are the same in all of them, all others of each copy are tokens of their own; sizes differ, and a quarter are
 * concentrated pools on real tick maps, moved to the same price and worth.
 */
export function largePools(real: readonly Pool[], values: ReadonlyMap<Address, number>, count: number): LargePools {
  const maps = readTickMaps();
  const random = randomOf(20_261_121);
  const held = new Map<Address, number>();
  for (const pool of real) for (const token of pool.tokens) held.set(token, (held.get(token) ?? 0) + 1);
  const hubs = new Set([...held.keys()].sort((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0)).slice(0, HUBS));
  const all = new Map<Address, number>();
  const pools: Pool[] = [];
  for (let copy = 0; pools.length < count; copy++) {
    const names = new Map<Address, Address>();
    const named = (token: Address): Address => {
      if (copy === 0 || hubs.has(token)) return token;
      const known = names.get(token) ?? addressOf(1_000_000 * copy + names.size);
      names.set(token, known);
      return known;
    };
    for (const pool of real) {
      if (pools.length >= count) break;
      if (pool.curve !== "constant-product") continue;
      const made = copyOf(pool, pools.length, named, values, maps, random);
      if (made === undefined) continue;
      pools.push(made);
      for (const [i, token] of made.tokens.entries()) {
        const from = pool.tokens.find((original) => named(original) === token) ?? pool.tokens[i];
        all.set(token, values.get(from as Address) as number);
      }
    }
  }
  return { pools, values: all };
}

function copyOf(
  pool: Extract<Pool, { curve: "constant-product" }>,
  n: number,
  named: (token: Address) => Address,
  values: ReadonlyMap<Address, number>,
  maps: ReadonlyMap<number, readonly TickMap[]>,
  random: () => number,
): Pool | undefined {
  const size = 10 ** (SPREAD * (2 * random() - 1));
  const tokens = pool.tokens.map(named) as [Address, Address];
  const reserves = pool.state.reserves.map((reserve) => Math.min(2 ** 111, Number(reserve) * size));
  const worths = pool.tokens.map((token) => values.get(token) ?? Number.NaN) as [number, number];
  if (random() >= CONCENTRATED) {
    if (reserves.some((reserve) => reserve < 1e6)) return undefined;
    const [first, second] = reserves.map((reserve) => BigInt(Math.round(reserve))) as [bigint, bigint];
    return { ...pool, id: addressOf(n, "pool"), tokens, state: { ...pool.state, reserves: [first, second] } };
  }
  const swapped = tokens[0] > tokens[1];
  const pair = swapped ? ([tokens[1], tokens[0]] as const) : tokens;
  const [first, second] = swapped ? [worths[1], worths[0]] : worths;
  const tier = TIERS[Math.floor(random() * TIERS.length)] as (typeof TIERS)[number];
  const choice = maps.get(tier.tickSpacing) ?? [];
  const map = choice[Math.floor(random() * choice.length)] as TickMap;
  const made = concentratedPool(n, [pair[0], pair[1]], first / second, tier, map, random() - 0.5);
  const has = heldBy(made).reduce((sum, amount, i) => sum + amount * ((i === 0 ? first : second) as number), 0);
  const worth = reserves.reduce((sum, reserve, i) => sum + reserve * (worths[i] as number), 0);
  return has > 0 ? withLiquidity(made, worth / has) : undefined;
}
