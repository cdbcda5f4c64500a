import { isUsedAgain } from "../../../fixtures/routing/used-again.ts";
import type { Address } from "../../../src/domain/address.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";

/** One hop of a path. */
interface Hop {
  readonly pool: Pool;
  readonly sell: number;
  readonly buy: number;
}

/** All simple paths of at most `maxHops` pools. */
export function allPaths(pools: readonly Pool[], from: Address, to: Address, maxHops: number): Hop[][] {
  const paths: Hop[][] = [];
  const walk = (token: Address, seen: readonly Address[], path: readonly Hop[]) => {
    if (token === to) paths.push([...path]);
    if (token === to || path.length === maxHops) return;
    for (const pool of pools) {
      const sell = pool.tokens.indexOf(token);
      if (sell < 0) continue;
      pool.tokens.forEach((next, buy) => {
        if (!seen.includes(next)) walk(next, [...seen, next], [...path, { pool, sell, buy }]);
      });
    }
  };
  walk(from, [from], []);
  return paths;
}

/**
 * Output of a split over paths less the gas of its pools, in the pools' own integers, path after path; a pool that
 * several paths share goes on from its last state. Undefined if a pool cannot.
 */
function splitPays(
  paths: readonly (readonly Hop[])[],
  amounts: readonly bigint[],
  time: bigint,
  costOf: (gas: bigint) => bigint,
): bigint | undefined {
  const states = new Map<Pool, Pool["state"]>();
  const gases = new Map<Pool, bigint>();
  let total = 0n;
  for (const [i, path] of paths.entries()) {
    let amount = amounts[i] as bigint;
    if (amount === 0n) continue;
    for (const { pool, sell, buy } of path) {
      const quote = mathOf(pool).quoteExactIn(states.get(pool) ?? pool.state, { sell, buy }, amount, time);
      if (isRejection(quote)) return undefined;
      states.set(pool, quote.next);
      gases.set(pool, quote.gas);
      amount = quote.amount;
    }
    total += amount;
  }
  return total - costOf([...gases.values()].reduce((sum, gas) => sum + gas, 0n));
}

/** Number of pools that an exact-out trade along these paths uses; infinite if it would use one twice. */
export function boughtFrom(paths: readonly (readonly Hop[])[]): number {
  const uses = new Set(paths.flat().map(({ pool, sell, buy }) => `${pool.id} ${sell} ${buy}`));
  const pools = poolsOf(paths);
  return uses.size === pools ? pools : Number.POSITIVE_INFINITY;
}

function poolsOf(paths: readonly (readonly Hop[])[]): number {
  return new Set(paths.flat().map(({ pool }) => pool)).size;
}

/**
 * The best split of an amount that can be found without regard to effort: every set of up to three paths that a route may
 * have and of no more than `mostFills`, each shared out by moving ever smaller parts between its paths as long as that pays
 * more. `fillsOf`: what a set takes of these.
 */
export function exhaustiveBest(
  paths: readonly (readonly Hop[])[],
  amount: bigint,
  time: bigint,
  costOf: (gas: bigint) => bigint,
  mostFills = Number.POSITIVE_INFINITY,
  fillsOf = poolsOf,
): bigint | undefined {
  let best: bigint | undefined;
  for (const set of setsOf(paths, 3)) {
    if (isUsedAgain(set.flat()) || fillsOf(set) > mostFills) continue;
    const amounts = set.map((_, i) => amount / BigInt(set.length) + (i === 0 ? amount % BigInt(set.length) : 0n));
    let value = splitPays(set, amounts, time, costOf);
    for (let part = amount / 3n; part > amount / 3000n && set.length > 1; part /= 3n) {
      for (let moved = true; moved; ) {
        moved = false;
        for (let from = 0; from < set.length; from++)
          for (let to = 0; to < set.length; to++) {
            if (from === to || (amounts[from] as bigint) < part) continue;
            const next = amounts.map((one, i) => (i === from ? one - part : i === to ? one + part : one));
            const pays = splitPays(set, next, time, costOf);
            if (pays === undefined || (value !== undefined && pays <= value)) continue;
            value = pays;
            amounts.splice(0, amounts.length, ...next);
            moved = true;
          }
      }
    }
    if (value !== undefined && (best === undefined || value > best)) best = value;
  }
  return best;
}

function* setsOf<T>(items: readonly T[], most: number, from = 0, chosen: readonly T[] = []): Generator<readonly T[]> {
  if (chosen.length > 0) yield chosen;
  if (chosen.length === most) return;
  for (let i = from; i < items.length; i++) yield* setsOf(items, most, i + 1, [...chosen, items[i] as T]);
}
