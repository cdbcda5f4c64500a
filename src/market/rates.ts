import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { PoolGraph } from "../routing/router.ts";
import { createWidestFirst, type Reached, type Step } from "./widest-first.ts";

/** Values of tokens against the native token. */
export interface Rates {
  /** Base units of `token` per wei of the native token; undefined when no pool worth trusting leads to it. */
  perNative(token: Address): Ratio | undefined;
}

/** Most pools between the native token and a token that is valued. */
const MAX_HOPS = 4;
/** A pool counts as deep as what has to be sold into it to move its price by this factor. */
const DEPTH_AT = 0.98;
/** Pools shallower than this (wei, at DEPTH_AT) value nothing: moving their price costs next to nothing. */
const MIN_DEPTH_WEI = 5e16;

/** Remembers what was computed of pools in states that did not change from block to block. */
export type RateMemory = WeakMap<Pool, readonly (readonly Step[])[]>;

const ONE: Ratio = { num: 1n, den: 1n };

/**
 * Rates along the path from the native token whose shallowest pool is the deepest, at spot prices after pool fees.
 * Computed when first asked for; the same graph gives the same rates.
 */
export function createRates(graph: PoolGraph, wrappedNative: Address, memory: RateMemory = new WeakMap()): Rates {
  let paths: WidestPaths | undefined;
  const rates = new Map<Address, Ratio | undefined>();

  function rateOf(token: Address): Ratio | undefined {
    paths ??= widestPaths(graph, wrappedNative, memory);
    const end = paths.to(token);
    if (end === undefined) return undefined;
    let { num, den } = ONE;
    for (let at: Reached | undefined = end; at?.via !== undefined; at = paths.to(at.via.token)) {
      num *= at.via.step.spot.num;
      den *= at.via.step.spot.den;
    }
    return num > 0n ? { num, den } : undefined;
  }

  return {
    perNative(token) {
      if (token === NATIVE_TOKEN || token === wrappedNative) return ONE;
      if (!rates.has(token)) rates.set(token, rateOf(token));
      return rates.get(token);
    },
  };
}

/** The widest path to each token. */
interface WidestPaths {
  to(token: Address): Reached | undefined;
}

/**
 * A token's path is settled once: widest first, so that no path runs in a circle. The search goes as far as it has to for
 * the token that is asked for, and on from there for the next: deep tokens are found early.
 */
function widestPaths(graph: PoolGraph, wrappedNative: Address, memory: RateMemory): WidestPaths {
  const settled = new Map<Address, Reached>();
  const best = new Map<Address, Reached>();
  const queue = createWidestFirst();
  const start = { hops: 0, widthWei: Number.POSITIVE_INFINITY, ratePerWei: 1, via: undefined };
  settled.set(NATIVE_TOKEN, start);
  best.set(wrappedNative, start);
  queue.push({ token: wrappedNative, reached: start });

  function expand(token: Address, from: Reached): void {
    for (const pool of graph.poolsOf(token)) {
      for (const step of stepsOf(pool, graph.time, memory)[pool.tokens.indexOf(token)]!) {
        if (settled.has(step.buyToken)) continue;
        const widthWei = Math.min(from.widthWei, step.depth / from.ratePerWei);
        const ratePerWei = from.ratePerWei * step.spotFloat;
        if (!(widthWei >= MIN_DEPTH_WEI) || !(ratePerWei > 0) || !Number.isFinite(ratePerWei)) continue;
        const known = best.get(step.buyToken);
        if (known !== undefined && !better(widthWei, pool.id, known)) continue;
        const reached = { hops: from.hops + 1, widthWei, ratePerWei, via: { token, step, poolId: pool.id } };
        best.set(step.buyToken, reached);
        queue.push({ token: step.buyToken, reached });
      }
    }
  }

  return {
    to(token) {
      while (!settled.has(token)) {
        const next = queue.pop();
        if (next === undefined) return undefined;
        if (settled.has(next.token)) continue;
        settled.set(next.token, next.reached);
        if (next.reached.hops < MAX_HOPS) expand(next.token, next.reached);
      }
      return settled.get(token);
    },
  };
}

function better(widthWei: number, poolId: string, than: Reached): boolean {
  if (widthWei !== than.widthWei) return widthWei > than.widthWei;
  return than.via !== undefined && poolId < than.via.poolId;
}

function stepsOf(pool: Pool, time: bigint, memory: RateMemory): readonly (readonly Step[])[] {
  const known = memory.get(pool);
  if (known !== undefined) return known;
  const math = mathOf(pool);
  const steps = pool.tokens.map((_, sell) =>
    pool.tokens.flatMap((buyToken, buy): readonly Step[] => {
      if (buy === sell) return [];
      const spot = math.spotPrice(pool.state, { sell, buy }, time);
      const curve = math.curve(pool.state, { sell, buy }, time);
      if (spot === undefined || spot.num === 0n || curve === undefined) return [];
      const depth = curve.sellAmountAtRate(curve.marginalRate(0) * DEPTH_AT);
      return [{ buyToken, depth, spot, spotFloat: curve.marginalRate(0) }];
    }),
  );
  memory.set(pool, steps);
  return steps;
}
