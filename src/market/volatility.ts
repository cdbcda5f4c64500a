import type { PoolId } from "../domain/route.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";
import { withoutTax } from "./taxed-pools.ts";

/** Volatility of pool prices from block to block. Immutable, and equal for all who follow one market. */
export interface Volatility {
  /** The first block that was looked at, or one from which on all that appeared is known. */
  readonly since: bigint;
  /** Pools that were not there at `since`, by the block they appeared in or came back in: nothing before it is known of them. */
  readonly appeared: ReadonlyMap<PoolId, bigint>;
  /** Pools that have moved of late. */
  readonly pools: ReadonlyMap<PoolId, PoolVolatility>;
}

export interface PoolVolatility {
  readonly pool: PoolId;
  /** Exponentially weighted mean of the squared change of the logarithm of its price, per block, as of `block`. */
  readonly variance: number;
  /** When it last moved. */
  readonly block: bigint;
}

/** Blocks after which a move counts half. */
const HALF_LIFE = 64;
const KEPT_PER_BLOCK = 2 ** (-1 / HALF_LIFE);
/** Blocks without a move after which nothing of a pool is left that counts. */
const FORGOTTEN_AFTER = 16n * BigInt(HALF_LIFE);
/** Pools of which moves are known, and those that appeared of late; the longest ago give way. */
const MAX_POOLS = 4_096;
/** Pools that are looked at in one block. Whoever moves more of them hides none that was known before. */
const MAX_PER_BLOCK = 512;
/** Blocks without which nothing is said. */
const MIN_HISTORY = 16n;

/**
 * The variance of the logarithm of a pool's price over one block; undefined while the pool was seen in too few blocks. 0 for one
 * that did not move in them.
 */
export function varianceOf({ since, appeared, pools }: Volatility, pool: PoolId, block: bigint): number | undefined {
  const seen = block - (appeared.get(pool) ?? since);
  if (seen < MIN_HISTORY) return undefined;
  const known = pools.get(pool);
  if (known === undefined) return 0;
  // After blocks have left the chain it may have moved later.
  const blocks = block < known.block ? 0 : Number(block - known.block);
  // A mean over the blocks that were seen: the weights of those before are missing.
  const weights = 1 - KEPT_PER_BLOCK ** Number(seen);
  return (known.variance * KEPT_PER_BLOCK ** blocks) / weights;
}

/** Follows the prices of a market's pools from block to block. */
export class VolatilityTracker {
  #graph: MarketGraph | undefined;
  #known: Volatility | undefined;
  /** Whether `#graph` is another market's, whose pools have other places. */
  #isRecalled = false;

  /** Volatility after a block was seen. Returns the previous object if no price moved. */
  update(graph: MarketGraph, block: bigint): Volatility {
    const before = this.#graph;
    this.#graph = graph;
    // A chain that was cut off further back than what is known begins anew.
    if (before === undefined || this.#known === undefined || block < this.#known.since) {
      this.#known = { since: block, appeared: new Map(), pools: new Map() };
      return this.#known;
    }
    const { moves, appeared } = changesBetween(before, graph, this.#isRecalled ? changedById : changedByPlace);
    this.#isRecalled = false;
    if (appeared.length > 0) this.#known = withAppeared(this.#known, appeared, block);
    if (moves.length > 0) this.#known = withMoves(this.#known, moves, block);
    return this.#known;
  }

  /** Begins anew, but for what was recalled and never updated. */
  reset(): void {
    if (this.#isRecalled) return;
    this.#graph = undefined;
    this.#known = undefined;
  }

  /** Goes on with what is known at a block of another market. */
  recall({ graph, volatility }: { readonly graph: MarketGraph; readonly volatility?: Volatility }): void {
    this.#graph = graph;
    this.#known = volatility;
    this.#isRecalled = true;
  }
}

interface Move {
  readonly pool: PoolId;
  readonly squared: number;
}

/** Nothing is known of pools that appear, or come back after they were hidden or asleep. */
function withAppeared(known: Volatility, ids: readonly PoolId[], block: bigint): Volatility {
  const [appeared, pools] = [new Map(known.appeared), new Map(known.pools)];
  for (const id of ids) {
    pools.delete(id);
    appeared.delete(id);
    appeared.set(id, block);
  }
  let { since } = known;
  for (const [id, first] of appeared) {
    const isForgotten = block - first > FORGOTTEN_AFTER;
    if (appeared.size <= MAX_POOLS && !isForgotten) break;
    appeared.delete(id);
    // A pool dropped too soon may have moved unseen, so that `since` of all pools becomes later.
    if (!isForgotten && first > since) since = first;
  }
  return { since, appeared, pools };
}

function withMoves({ since, appeared, pools }: Volatility, moves: readonly Move[], block: bigint): Volatility {
  const after = new Map(pools);
  for (const { pool, squared } of moves) {
    const known = after.get(pool);
    const blocks = known === undefined || block < known.block ? 0 : Number(block - known.block);
    const left = (known?.variance ?? 0) * KEPT_PER_BLOCK ** blocks;
    // The one that moved last stands last.
    after.delete(pool);
    after.set(pool, { pool, variance: left + (1 - KEPT_PER_BLOCK) * squared, block });
  }
  for (const [pool, known] of after) {
    if (after.size <= MAX_POOLS && block - known.block <= FORGOTTEN_AFTER) break;
    after.delete(pool);
  }
  return { since, appeared, pools: after };
}

/** Squared changes of prices between two graphs, and pools that only the second has. Costs what differs, beside a look at each chunk. */
function changesBetween(
  before: MarketGraph,
  after: MarketGraph,
  changed: (before: MarketGraph, after: MarketGraph) => Iterable<readonly [was: Pool | undefined, pool: Pool]>,
): { readonly moves: readonly Move[]; readonly appeared: readonly PoolId[] } {
  const moves: Move[] = [];
  const appeared: PoolId[] = [];
  for (const [was, pool] of changed(before, after)) {
    if (was?.id !== pool.id) appeared.push(pool.id);
    if (was?.id !== pool.id || moves.length >= MAX_PER_BLOCK) continue;
    const squared = squaredMove(was, pool, before.time, after.time);
    if (squared > 0) moves.push({ pool: pool.id, squared });
  }
  return { moves, appeared };
}

/** Pools of a market that are not what stood in their places before. */
function* changedByPlace(before: MarketGraph, after: MarketGraph): Generator<readonly [Pool | undefined, Pool]> {
  const [old, now] = [before.chunks(), after.chunks()];
  for (const [index, chunk] of now.entries()) {
    if (chunk === old[index]) continue;
    for (const [place, pool] of chunk.entries()) {
      const was = old[index]?.[place];
      if (pool !== undefined && was !== pool) yield [was, pool];
    }
  }
}

/** Pools that are not what another market had under their ids. */
function* changedById(before: MarketGraph, after: MarketGraph): Generator<readonly [Pool | undefined, Pool]> {
  for (const pool of after.all()) {
    const shown = before.pool(pool.id);
    const was = shown && withoutTax(shown);
    if (was !== pool) yield [was, pool];
  }
}

/** The mean over a pool's pairs with its first token. */
function squaredMove(was: Pool, is: Pool, timeBefore: bigint, time: bigint): number {
  let sum = 0;
  for (let buy = 1; buy < is.tokens.length; buy++) {
    const [old, now] = [logPrice(was, buy, timeBefore), logPrice(is, buy, time)];
    if (old !== undefined && now !== undefined) sum += (now - old) ** 2;
  }
  return sum / (is.tokens.length - 1);
}

function logPrice(pool: Pool, buy: number, time: bigint): number | undefined {
  const spot = mathOf(pool).spotPrice(pool.state, { sell: 0, buy }, time);
  if (spot === undefined || spot.num <= 0n || spot.den <= 0n) return undefined;
  return logOf(spot.num) - logOf(spot.den);
}

/** The natural logarithm of an integer above zero, however large. */
function logOf(value: bigint): number {
  const digits = value.toString(16);
  const head = digits.slice(0, 13);
  return Math.log(Number.parseInt(head, 16)) + (digits.length - head.length) * Math.log(16);
}
