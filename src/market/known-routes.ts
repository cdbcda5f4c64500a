import type { Address } from "../domain/address.ts";
import type { SwapOrder } from "../domain/order.ts";
import { fillsOf, type PoolId, type Route } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";
import type { KnownRoute, WarmStart } from "../routing/router.ts";
import { poolInSlot } from "./pool-slots.ts";
import type { MarketGraph } from "./pool-store.ts";
import type { Snapshot } from "./snapshot.ts";

/** One use of a pool: its slot, and the places of the two tokens among the pool's. */
export interface SlotUse {
  readonly slot: number;
  readonly sell: number;
  readonly buy: number;
}

/** A route that was found, its pools by slot. */
export interface SlotRoute extends Pick<KnownRoute, "sellAmount" | "buyAmount"> {
  readonly uses: readonly SlotUse[];
}

/** Routes that were found for two tokens, the oldest first. Immutable. */
export interface PairRoutes {
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly routes: readonly SlotRoute[];
}

/** Pairs by `pairKey`. Immutable. */
export type KnownRoutes = ReadonlyMap<string, PairRoutes>;

/** Pairs that routes are kept for, and amounts for each: a route for up to four times the amount takes the place of another. */
const MAX_PAIRS = 128;
const MAX_AMOUNTS = 8;
/** Blocks after which a pair is searched once without known routes: the search may then find better ones. */
const EXPLORED_EVERY = 16n;

export function pairKey(sellToken: Address, buyToken: Address): string {
  return `${sellToken}${buyToken}`;
}

/** Known routes that a search for an order starts from; undefined if its pair has none. */
export function warmStartOf(
  {
    known,
    block,
    graph,
  }: { readonly known: KnownRoutes; readonly block: { number: bigint }; readonly graph: MarketGraph },
  { sellToken, buyToken }: SwapOrder,
): WarmStart | undefined {
  const pair = known.get(pairKey(sellToken, buyToken));
  if (pair === undefined) return undefined;
  const routes = namedRoutes(pair, graph);
  // Pairs take turns, so that no block explores all of them.
  const turn = BigInt(Number.parseInt(buyToken.slice(-4), 16));
  return { routes, explores: (block.number + turn) % EXPLORED_EVERY === 0n };
}

function namedRoutes({ routes }: PairRoutes, graph: MarketGraph): readonly KnownRoute[] {
  const chunks = graph.chunks();
  return routes.map(({ sellAmount, buyAmount, uses }) => ({
    ...{ sellAmount, buyAmount },
    uses: uses.flatMap(({ slot, sell, buy }) => useOf(poolInSlot(slot, chunks), sell, buy)),
  }));
}

function useOf(pool: Pool | undefined, sell: number, buy: number): KnownRoute["uses"] {
  const [sellToken, buyToken] = [pool?.tokens[sell], pool?.tokens[buy]];
  return pool === undefined || sellToken === undefined || buyToken === undefined
    ? []
    : [{ poolId: pool.id, sellToken, buyToken }];
}

/** Pools of the market, with their slots. */
export interface NumberedPools {
  get(id: PoolId): Pool | undefined;
  slotOf(id: PoolId): number | undefined;
}

/** Block number at which a route was found, and whether a deep search found it. */
export interface Finding {
  readonly at: bigint;
  readonly isDeep: boolean;
}

interface Found extends SlotRoute, Finding {}

/** Routes of two tokens as another market knew them at a block, their pools by id. */
interface NamedRoutes extends Pick<PairRoutes, "sellToken" | "buyToken"> {
  readonly at: bigint;
  readonly routes: readonly KnownRoute[];
}

interface FoundRoutes extends PairRoutes {
  readonly routes: readonly Found[];
}

/**
 * Collects the routes that searches find, and fixes them when a block is published. What is kept depends on the searches of
 * each block alone, not on which of them ended first.
 */
export class RouteMemory {
  readonly #pairs = new Map<string, FoundRoutes>();
  /** Routes of another market, until the pools of this one have their slots. */
  #recalled: readonly NamedRoutes[] = [];
  #fixed: KnownRoutes = new Map();
  #isChanged = false;

  /**
   * Keeps a route for the blocks to come, as far as its pools are the market's: what makers offer is another
   * one each time.
   */
  record(route: Route, finding: Finding, pools: NumberedPools): void {
    const { sellToken, buyToken, sellAmount, buyAmount } = route;
    const uses = slotUses(fillsOf(route), pools);
    if (uses.length === 0) return;
    const key = pairKey(sellToken, buyToken);
    const found: Found = { sellAmount, buyAmount, uses, ...finding };
    const known = this.#pairs.get(key)?.routes ?? [];
    const same = known.find((other) => sizeOf(other.sellAmount) === sizeOf(sellAmount));
    if (same !== undefined && isNewer(same, found)) return;
    const routes = [...known.filter((other) => other !== same), found].sort((a, b) => (isNewer(a, b) ? 1 : -1));
    this.#pairs.set(key, { sellToken, buyToken, routes: routes.slice(-MAX_AMOUNTS) });
    if (this.#pairs.size > MAX_PAIRS) this.#dropOldest();
    this.#isChanged = true;
  }

  /** Knows nothing any more but what was recalled and never fixed. */
  forget(): void {
    this.#pairs.clear();
    this.#isChanged = true;
  }

  /** Goes on with what is known at a block of another market, from the next `fix` on. */
  recall({ known, graph, block }: Pick<Snapshot, "known" | "graph" | "block">): void {
    this.#recalled = [...known.values()].map((pair) => {
      const { sellToken, buyToken } = pair;
      return { sellToken, buyToken, at: block.number, routes: namedRoutes(pair, graph) };
    });
  }

  /**
   * Immutable copy of the known routes; the previous object if nothing was recorded since. `pools` have their slots.
   */
  fix(pools: NumberedPools): KnownRoutes {
    for (const recalled of this.#recalled) this.#take(recalled, pools);
    this.#recalled = [];
    if (this.#isChanged) this.#fixed = new Map(this.#pairs);
    this.#isChanged = false;
    return this.#fixed;
  }

  #take({ at, routes, ...pair }: NamedRoutes, pools: NumberedPools): void {
    const found = routes.flatMap(({ uses: named, ...amounts }): readonly Found[] => {
      const uses = slotUses(named, pools);
      return uses.length === 0 ? [] : [{ ...amounts, uses, at, isDeep: false }];
    });
    if (found.length === 0) return;
    this.#pairs.set(pairKey(pair.sellToken, pair.buyToken), { ...pair, routes: found });
    this.#isChanged = true;
  }

  #dropOldest(): void {
    const lastOf = (key: string) => this.#pairs.get(key)?.routes.at(-1)?.at ?? 0n;
    const [oldest] = [...this.#pairs.keys()].sort((a, b) => Number(lastOf(a) - lastOf(b)) || (a < b ? -1 : 1));
    if (oldest !== undefined) this.#pairs.delete(oldest);
  }
}

/** Uses of pools by slot, but for those that are none of the market's. */
function slotUses(uses: KnownRoute["uses"], pools: NumberedPools): readonly SlotUse[] {
  return uses.flatMap(({ poolId, sellToken, buyToken }): readonly SlotUse[] => {
    const [slot, pool] = [pools.slotOf(poolId), pools.get(poolId)];
    if (slot === undefined || pool === undefined) return [];
    return [{ slot, sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) }];
  });
}

/** Whether a route was found at a later block than another, or at the same one by a deeper search, or for more. */
function isNewer(one: Found, other: Found): boolean {
  if (one.at !== other.at) return one.at > other.at;
  if (one.isDeep !== other.isDeep) return one.isDeep;
  return one.buyAmount === other.buyAmount ? one.sellAmount < other.sellAmount : one.buyAmount > other.buyAmount;
}

/** Amounts of one size differ by a factor of less than four. */
function sizeOf(amount: bigint): number {
  return Math.ceil(amount.toString(2).length / 2);
}
