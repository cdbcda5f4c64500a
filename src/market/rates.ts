import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";
import { movesWithTime } from "../pools/moves-with-time.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";
import { before, createWidestFirst, type Reached, type Step } from "./widest-first.ts";

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
/** Tokens, besides the native one, that a path may lead over. */
const MAX_REFERENCES = 8;
/** Pools of one pair that are looked at, the oldest ones: whoever makes more of them to be in the way is not heard. */
const MAX_POOLS_OF_PAIR = 64;

/** Remembers what was computed of pools in states that did not change from block to block, and at what time. */
export type RateMemory = WeakMap<Pool, { readonly time: bigint; readonly steps: Map<number, Step | undefined> }>;

const ONE: Ratio = { num: 1n, den: 1n };
const START: Reached = { hops: 0, widthWei: Number.POSITIVE_INFINITY, ratePerWei: 1, via: undefined };

/**
 * Rates along the path from the native token whose shallowest pool is the deepest, at spot prices after pool fees. The
 * same graph gives the same rates.
 *
 * Paths lead over reference tokens only: `references`, or else the tokens that most pools hold. That is what bounds the
 * work (a token is valued by its pools with a handful of others) and half of what protects the rates; the other half is
 * depth: a pool that somebody makes up counts only when it is deeper, in native tokens that really are there, than all
 * others that lead to the token, and dust counts never.
 */
export function createRates(
  graph: MarketGraph,
  wrappedNative: Address,
  options: { readonly references?: readonly Address[] | undefined; readonly memory?: RateMemory } = {},
): Rates {
  const memory: RateMemory = options.memory ?? new WeakMap();
  let reached: ReadonlyMap<Address, Reached> | undefined;
  const rates = new Map<Address, Ratio | undefined>();

  function referencesReached(): ReadonlyMap<Address, Reached> {
    if (reached === undefined) {
      const chosen = (options.references ?? graph.hubs()).filter((token) => token !== wrappedNative);
      reached = reach(graph, wrappedNative, chosen.slice(0, MAX_REFERENCES), memory);
    }
    return reached;
  }

  function rateOf(token: Address): Ratio | undefined {
    const references = referencesReached();
    let end = references.get(token);
    if (end === undefined) {
      for (const [reference, from] of references) {
        for (const found of stepsFrom(graph, reference, from, token, memory)) {
          if (end === undefined || before({ token, reached: found }, { token, reached: end })) end = found;
        }
      }
    }
    if (end === undefined) return undefined;
    let { num, den } = ONE;
    for (let at: Reached | undefined = end; at?.via !== undefined; at = references.get(at.via.token)) {
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

/** The widest path to each reference token over the others. Widest first, so that no path runs in a circle. */
function reach(
  graph: MarketGraph,
  wrappedNative: Address,
  references: readonly Address[],
  memory: RateMemory,
): ReadonlyMap<Address, Reached> {
  const settled = new Map<Address, Reached>();
  const queue = createWidestFirst();
  queue.push({ token: wrappedNative, reached: START });
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (settled.has(next.token)) continue;
    settled.set(next.token, next.reached);
    for (const token of references) {
      if (settled.has(token)) continue;
      for (const found of stepsFrom(graph, next.token, next.reached, token, memory))
        queue.push({ token, reached: found });
    }
  }
  return settled;
}

/** Every way from a token that is reached to another over one pool that is worth trusting. */
function stepsFrom(
  graph: MarketGraph,
  token: Address,
  from: Reached,
  buyToken: Address,
  memory: RateMemory,
): readonly Reached[] {
  if (from.hops === MAX_HOPS || token === buyToken) return [];
  return graph
    .poolsBetween(token, buyToken)
    .slice(0, MAX_POOLS_OF_PAIR)
    .flatMap((pool): readonly Reached[] => {
      const step = stepOf(pool, pool.tokens.indexOf(token), pool.tokens.indexOf(buyToken), graph.time, memory);
      if (step === undefined) return [];
      const widthWei = Math.min(from.widthWei, step.depth / from.ratePerWei);
      const ratePerWei = from.ratePerWei * step.spotFloat;
      if (!(widthWei >= MIN_DEPTH_WEI) || !(ratePerWei > 0) || !Number.isFinite(ratePerWei)) return [];
      return [{ hops: from.hops + 1, widthWei, ratePerWei, via: { token, step, poolId: pool.id } }];
    });
}

/** A pool's step from one of its tokens to another; undefined when there is none, or none that can be told. */
function stepOf(pool: Pool, sell: number, buy: number, time: bigint, memory: RateMemory): Step | undefined {
  let known = memory.get(pool);
  if (known === undefined || (known.time !== time && movesWithTime(pool))) {
    known = { time, steps: new Map() };
    memory.set(pool, known);
  }
  const { steps } = known;
  const direction = sell * pool.tokens.length + buy;
  if (!steps.has(direction)) steps.set(direction, computeStep(pool, sell, buy, time));
  return steps.get(direction);
}

function computeStep(pool: Pool, sell: number, buy: number, time: bigint): Step | undefined {
  const math = mathOf(pool);
  const spot = math.spotPrice(pool.state, { sell, buy }, time);
  const curve = spot === undefined || spot.num === 0n ? undefined : math.curve(pool.state, { sell, buy }, time);
  if (spot === undefined || curve === undefined) return undefined;
  const spotFloat = curve.marginalRate(0);
  return { depth: curve.sellAmountAtRate(spotFloat * DEPTH_AT), spot, spotFloat };
}
