import type { Address } from "../../src/domain/address.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import { isRejection, type PoolCurve } from "../../src/pools/pool-math.ts";

interface Side {
  readonly from: Address;
  readonly to: Address;
  readonly pool: Pool;
  readonly sell: number;
  readonly buy: number;
  curve: PoolCurve | undefined;
}

/** What the reference works on: both directions of every pool, by the token that they sell. */
function sidesOf(pools: readonly Pool[], time: bigint): ReadonlyMap<Address, readonly Side[]> {
  const sides = new Map<Address, Side[]>();
  for (const pool of pools)
    for (const [sell, buy] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const from = pool.tokens[sell] as Address;
      const curve = mathOf(pool).curve(pool.state, { sell, buy }, time);
      const side = { from, to: pool.tokens[buy] as Address, pool, sell, buy, curve };
      sides.set(from, [...(sides.get(from) ?? []), side]);
    }
  return sides;
}

/**
 * The plain reference: the trade in equal chunks, each along the path of at most `maxHops` pools that pays most for it
 * after all chunks before, in the pools' own integers. Tokens that chunks have passed in one order are not passed in
 * the other: no cycles. One chunk is the best single path.
 */
export function greedy(
  pools: readonly Pool[],
  from: Address,
  to: Address,
  amount: bigint,
  chunks: number,
  time: bigint,
  maxHops = 4,
): bigint | undefined {
  const sides = sidesOf(pools, time);
  const both = new Map<Pool, Side[]>();
  for (const list of sides.values())
    for (const side of list) both.set(side.pool, [...(both.get(side.pool) ?? []), side]);
  const states = new Map<Pool, Pool["state"]>();
  const after = new Map<Address, Set<Address>>();
  let total = 0n;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const sell = amount / BigInt(chunks) + (BigInt(chunk) < amount % BigInt(chunks) ? 1n : 0n);
    if (sell === 0n) continue;
    const path = bestPath(sides, from, to, Number(sell), maxHops, (a, b) => leads(after, b, a));
    if (path === undefined) return undefined;
    let available = sell;
    for (const side of path) {
      const state = states.get(side.pool) ?? side.pool.state;
      const quote = mathOf(side.pool).quoteExactIn(state, side, available, time);
      if (isRejection(quote)) return undefined;
      states.set(side.pool, quote.next);
      for (const one of both.get(side.pool) ?? []) one.curve = mathOf(side.pool).curve(quote.next, one, time);
      after.set(side.from, (after.get(side.from) ?? new Set()).add(side.to));
      available = quote.amount;
    }
    total += available;
  }
  return total;
}

function leads(after: ReadonlyMap<Address, ReadonlySet<Address>>, from: Address, to: Address): boolean {
  return from === to || [...(after.get(from) ?? [])].some((next) => leads(after, next, to));
}

function bestPath(
  sides: ReadonlyMap<Address, readonly Side[]>,
  from: Address,
  to: Address,
  amount: number,
  maxHops: number,
  closes: (from: Address, to: Address) => boolean,
): Side[] | undefined {
  let layer = new Map<Address, { amount: number; path: Side[] }>([[from, { amount, path: [] }]]);
  let best: { amount: number; path: Side[] } | undefined;
  for (let hop = 1; hop <= maxHops; hop++) {
    const next = new Map<Address, { amount: number; path: Side[] }>();
    for (const [token, label] of layer) {
      for (const side of sides.get(token) ?? []) {
        if (side.curve === undefined || side.to === from || (hop === maxHops && side.to !== to)) continue;
        const pays = side.curve.buyAmountFor(label.amount);
        if (pays <= (next.get(side.to)?.amount ?? 0) || closes(side.from, side.to)) continue;
        if (label.path.some((earlier) => earlier.from === side.to || earlier.pool === side.pool)) continue;
        next.set(side.to, { amount: pays, path: [...label.path, side] });
      }
    }
    const arrived = next.get(to);
    if (arrived !== undefined && arrived.amount > (best?.amount ?? 0)) best = arrived;
    next.delete(to);
    layer = next;
  }
  return best?.path;
}
