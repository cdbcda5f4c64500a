import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { PoolGraph } from "../routing/router.ts";

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

/** One direction of a pool as a step between tokens. */
interface Step {
  readonly buyToken: Address;
  /** Sold base units that move the price to DEPTH_AT. */
  readonly depth: number;
  readonly spot: Ratio;
  readonly spotFloat: number;
}

/** Remembers what was computed of pools in states that did not change from block to block. */
export type RateMemory = WeakMap<Pool, readonly (readonly Step[])[]>;

interface Reached {
  readonly hops: number;
  /** Wei that move the price of the shallowest pool on the way to DEPTH_AT. */
  readonly widthWei: number;
  readonly ratePerWei: number;
  readonly via: { readonly token: Address; readonly step: Step; readonly poolId: string } | undefined;
}

const ONE: Ratio = { num: 1n, den: 1n };

/**
 * Rates along the path from the native token whose shallowest pool is the deepest, at spot prices after pool fees.
 * Computed when first asked for; the same graph gives the same rates.
 */
export function createRates(graph: PoolGraph, wrappedNative: Address, memory: RateMemory = new WeakMap()): Rates {
  let reached: ReadonlyMap<Address, Reached> | undefined;
  const rates = new Map<Address, Ratio | undefined>();

  function rateOf(token: Address): Ratio | undefined {
    reached ??= widestPaths(graph, wrappedNative, memory);
    const end = reached.get(token);
    if (end === undefined) return undefined;
    let { num, den } = ONE;
    for (let at: Reached | undefined = end; at?.via !== undefined; at = reached.get(at.via.token)) {
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

/** The widest path to every token. A token's path is settled once: widest first, so that no path runs in a circle. */
function widestPaths(graph: PoolGraph, wrappedNative: Address, memory: RateMemory): ReadonlyMap<Address, Reached> {
  const settled = new Map<Address, Reached>();
  const open = new Map<Address, Reached>();
  open.set(wrappedNative, { hops: 0, widthWei: Number.POSITIVE_INFINITY, ratePerWei: 1, via: undefined });
  settled.set(NATIVE_TOKEN, open.get(wrappedNative)!);
  for (let token = widest(open); token !== undefined; token = widest(open)) {
    const from = open.get(token)!;
    open.delete(token);
    settled.set(token, from);
    if (from.hops === MAX_HOPS) continue;
    for (const pool of graph.poolsOf(token)) {
      for (const step of stepsOf(pool, graph.time, memory)[pool.tokens.indexOf(token)]!) {
        if (settled.has(step.buyToken)) continue;
        const widthWei = Math.min(from.widthWei, step.depth / from.ratePerWei);
        const ratePerWei = from.ratePerWei * step.spotFloat;
        if (!(widthWei >= MIN_DEPTH_WEI) || !(ratePerWei > 0) || !Number.isFinite(ratePerWei)) continue;
        const known = open.get(step.buyToken);
        if (known !== undefined && !better(widthWei, pool.id, known)) continue;
        open.set(step.buyToken, {
          hops: from.hops + 1,
          widthWei,
          ratePerWei,
          via: { token, step, poolId: pool.id },
        });
      }
    }
  }
  return settled;
}

function better(widthWei: number, poolId: string, than: Reached): boolean {
  if (widthWei !== than.widthWei) return widthWei > than.widthWei;
  return than.via !== undefined && poolId < than.via.poolId;
}

function widest(open: ReadonlyMap<Address, Reached>): Address | undefined {
  let best: Address | undefined;
  let bestWidth = -1;
  for (const [token, { widthWei }] of open) {
    if (widthWei > bestWidth || (widthWei === bestWidth && best !== undefined && token < best)) {
      best = token;
      bestWidth = widthWei;
    }
  }
  return best;
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
