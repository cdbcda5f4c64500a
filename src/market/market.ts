import type { Address } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId, Route } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import { mathOf, type Pool } from "../pools/pool.ts";
import type { EligibilityRule, LeftOut } from "./eligibility.ts";
import { HiddenPools } from "./hidden-pools.ts";
import { createHopTokens, type DeepSince } from "./hop-tokens.ts";
import { RouteMemory } from "./known-routes.ts";
import { leftOutOf } from "./left-out.ts";
import { createPoolStore, type MarketGraph, type PoolStore } from "./pool-store.ts";
import { createRates, type RateMemory } from "./rates.ts";
import type { DataFee, Snapshot, SourceState } from "./snapshot.ts";
import { TaxedPools, type TokenTaxes } from "./taxed-pools.ts";
import { VolatilityTracker } from "./volatility.ts";

/** When a snapshot is too old to be quoted from. */
export interface Freshness {
  /** Longest time since a node last confirmed the snapshot's block as its head. */
  readonly confirmedWithinMs: number;
  /** Furthest from now that the block may be by its own timestamp; undefined where blocks are mined by hand. */
  readonly blockAgeMs: number | undefined;
}

/** The bounds of decisions.md, promise 4; a block time of 0 means that blocks come when they please. */
export function freshnessFor(blockTimeMs: number): Freshness {
  return {
    confirmedWithinMs: Math.max(3 * blockTimeMs, 10_000),
    blockAgeMs: blockTimeMs === 0 ? undefined : Math.max(10 * blockTimeMs, 60_000),
  };
}

/** Why a block may not be quoted from any more, as a sentence; undefined while it may. */
export function staleReason(
  block: BlockRef,
  at: {
    readonly freshness: Freshness;
    /** Milliseconds since a node last confirmed it as its head. */
    readonly silentMs: number;
    /** Milliseconds since 1970. */
    readonly nowMs: number;
  },
): string | undefined {
  const { freshness, silentMs, nowMs } = at;
  if (silentMs > freshness.confirmedWithinMs) {
    return `No node has confirmed our newest block for ${Math.floor(silentMs / 1000)} seconds.`;
  }
  const ageMs = nowMs - Number(block.timestamp) * 1000;
  if (freshness.blockAgeMs === undefined || Math.abs(ageMs) <= freshness.blockAgeMs) return undefined;
  const seconds = Math.floor(Math.abs(ageMs) / 1000);
  return `The chain's newest block is ${seconds} seconds ${ageMs > 0 ? "old" : "ahead of this machine's clock"}.`;
}

/** A block that snapshots are of; `gasLimit`: gas of all its transactions, where that is known. */
export interface PublishedBlock extends BlockRef {
  readonly gasLimit?: bigint;
}

/** Most gas of one transaction under EIP-7825: chains that have no such rule have larger blocks, as a rule. */
const MAX_TRANSACTION_GAS = 2n ** 24n;

/** The state of all pools, and the newest snapshot of it. */
export interface Market {
  /** The newest snapshot, or why there is none that may be quoted from. */
  current(): { readonly snapshot: Snapshot } | { readonly unavailable: string };
  /** State of each source now, also while nothing may be quoted. */
  sources(): ReadonlyMap<SourceId, SourceState>;
  /** The working copy. Nobody sees its changes before `publish`. */
  readonly pools: PoolStore;
  publish(block: PublishedBlock, gasPrice: bigint, dataFee?: DataFee): Snapshot;
  /** Lets searches of the blocks to come begin with a route that was found at a block; `isDeep`: by a deep search. */
  recordRoute(route: Route, blockNumber: bigint, isDeep?: boolean): void;
  /** A node has named the snapshot's block as its head just now. */
  confirm(): void;
  /** Milliseconds since a node last did; infinite while there is no snapshot. */
  silentMs(): number;
  /** Takes the snapshot away until the next one is published. */
  suspend(reason: string): void;
  /** Begins anew with no pools. */
  reset(reason: string): void;
  /** Hides a pool from the snapshots to come and, when there is one, from the current one. */
  quarantine(id: PoolId, reason: string): void;
  release(id: PoolId): void;
  quarantined(): ReadonlyMap<PoolId, string>;
  /** Hides all pools of a source, which is off for that reason, from the current snapshot and those to come. */
  hideSource(id: SourceId, reason: string): void;
  /** The source's pools are in the snapshots to come again. */
  showSource(id: SourceId): void;
  /** Wei that the most valuable of what can be bought from a pool is worth; undefined when none of its tokens has a rate. */
  depthOf(pool: Pool): bigint | undefined;
  /** Since when tokens that are not listed have been deep enough for routes to lead over them. */
  deepSince(): DeepSince;
  /** Goes on with what an earlier run knew of that, and with what else is known at a block that another market has shown. */
  recall(known: DeepSince, shown?: Snapshot): void;
}

/** Facts and dependencies of a market. */
interface MarketOptions {
  readonly chainId: number;
  readonly wrappedNative: Address;
  /** Tokens that others are valued by (`createRates`); the ones that most pools hold by default. */
  readonly references?: readonly Address[] | undefined;
  /** Most gas of one transaction; by default what EIP-7825 allows. */
  readonly mostTransactionGas?: bigint | undefined;
  readonly sources: readonly SourceId[];
  /** Why a source, among `sources`, is off; undefined where it is not. None is by default. */
  readonly offReason?: (source: SourceId) => string | undefined;
  /** Rule for the pools and tokens of a route; everything is allowed by default. */
  readonly eligibility?: EligibilityRule | undefined;
  /** Transfer taxes of tokens; a change shows in the current snapshot at once. None by default. */
  readonly taxes?: (() => TokenTaxes) | undefined;
  /** Pools of a source that are known and kept without a state; none by default. */
  readonly asleep?: (source: SourceId) => number;
  /** Pools of a source that were seen on the chain and are not served; none by default. */
  readonly unserved?: (source: SourceId) => readonly LeftOut[];
  readonly freshness: Freshness;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment, never going back. */
  readonly elapsed: () => number;
}

/** Memory of earlier blocks: hop tokens, routes and volatility. */
interface MarketParts {
  readonly hopTokens: ReturnType<typeof createHopTokens> | undefined;
  readonly routes: RouteMemory;
  readonly volatility: VolatilityTracker;
}

/** Options of a pool store by an eligibility rule: allowed controllers, and tokens that may become hubs. */
function storeRules({ controllers, listed }: EligibilityRule): Parameters<typeof createPoolStore>[0] {
  return { allows: (controller) => controllers.has(controller), isListed: (token) => listed.has(token) };
}

/** A market without pools; it is unavailable until the first snapshot is published. */
export function createMarket(options: MarketOptions): Market {
  const { freshness, now, elapsed, eligibility, mostTransactionGas = MAX_TRANSACTION_GAS } = options;
  const valuing = { references: options.references, memory: new WeakMap() satisfies RateMemory };
  const hopTokens = eligibility && createHopTokens(eligibility);
  const newStore = () => createPoolStore(eligibility && storeRules(eligibility));
  let pools = newStore();
  let graph: MarketGraph | undefined;
  let snapshot: Snapshot | undefined;
  let unavailable: string | undefined = "The state of the chain is being read.";
  let confirmedAt = Number.NEGATIVE_INFINITY;
  const routes = new RouteMemory();
  const hidden = new HiddenPools();
  const taxed = new TaxedPools(options.taxes);
  const volatility = new VolatilityTracker();

  function sourceStates(blockNumber: bigint, status: SourceState["status"]): ReadonlyMap<SourceId, SourceState> {
    const leftOut = leftOutNow();
    return new Map(
      options.sources.map((id) => {
        const reason = hidden.reasonOf(id) ?? options.offReason?.(id);
        const asleep = options.asleep?.(id) ?? 0;
        const standing = reason === undefined ? { status } : { status: "off" as const, reason };
        const state = { pools: pools.count(id), asleep, ...standing, blockNumber };
        return [id, eligibility || options.unserved ? { ...state, leftOut: () => leftOut(id) } : state];
      }),
    );
  }

  const leftOutNow = () =>
    leftOutOf(graph, new Map(options.sources.map((id) => [id, pools.countWithheld(id)])), options.unserved);

  /** Why the newest snapshot may not be quoted from any more. */
  const staleness = (block: BlockRef) =>
    staleReason(block, { freshness, silentMs: elapsed() - confirmedAt, nowMs: now() });

  function build(block: PublishedBlock, gasPrice: bigint, dataFee: DataFee | undefined): Snapshot {
    const { gasLimit = mostTransactionGas } = block;
    graph = hidden.without(pools.freeze(block.timestamp));
    const rates = createRates(taxed.over(graph), options.wrappedNative, valuing);
    const changed = pools.takeChanged();
    const hops = hopTokens?.update({ graph, rates, blockNumber: block.number }, changed);
    if (hops !== undefined) graph = { ...graph, hops };
    return {
      chainId: options.chainId,
      block: { number: block.number, hash: block.hash, parentHash: block.parentHash, timestamp: block.timestamp },
      gasPrice,
      ...(dataFee && { dataFee }),
      mostGas: gasLimit < mostTransactionGas ? gasLimit : mostTransactionGas,
      graph: taxed.over(graph),
      rates,
      known: routes.fix(pools),
      volatility: volatility.update(graph, block.number),
      sources: sourceStates(block.number, "live"),
      tokens: pools.tokens(),
    };
  }

  /** Takes what is hidden now out of the current snapshot, and shows taxes as they are now; its pools' states stay as they are. */
  function showAnew(): void {
    if (snapshot === undefined || graph === undefined) return;
    const left = taxed.over(hidden.without(graph));
    const rates = createRates(left, options.wrappedNative, valuing);
    snapshot = { ...snapshot, graph: left, rates, sources: sourceStates(snapshot.block.number, "live") };
  }

  return {
    get pools() {
      return pools;
    },
    current() {
      if (unavailable !== undefined) return { unavailable };
      if (snapshot === undefined) return { unavailable: "The state of the chain has not been read yet." };
      const stale = staleness(snapshot.block);
      if (stale !== undefined) return { unavailable: stale };
      if (taxed.isOutdated) showAnew();
      return { snapshot };
    },
    sources() {
      if (snapshot === undefined || unavailable !== undefined)
        return sourceStates(snapshot?.block.number ?? 0n, "syncing");
      return staleness(snapshot.block) === undefined ? snapshot.sources : sourceStates(snapshot.block.number, "stale");
    },
    publish(block, gasPrice, dataFee) {
      snapshot = build(block, gasPrice, dataFee);
      unavailable = undefined;
      confirmedAt = elapsed();
      return snapshot;
    },
    recordRoute: (route, at, isDeep = false) => routes.record(route, { at, isDeep }, pools),
    confirm() {
      confirmedAt = elapsed();
    },
    silentMs: () => elapsed() - confirmedAt,
    suspend(reason) {
      unavailable = reason;
    },
    reset(reason) {
      unavailable = reason;
      snapshot = undefined;
      pools = newStore();
      // Pools have other slots from now on.
      routes.forget();
      volatility.reset();
      if (hopTokens !== undefined) hopTokens.recall(hopTokens.deepSince());
    },
    quarantine(id, reason) {
      hidden.add(id, reason);
      showAnew();
    },
    release: (id) => hidden.remove(id),
    hideSource(id, reason) {
      hidden.addSource(id, reason);
      showAnew();
    },
    showSource: (id) => hidden.removeSource(id),
    quarantined: () => hidden.pools,
    depthOf: (pool) => snapshot && depthIn(snapshot, pool),
    deepSince: () => hopTokens?.deepSince() ?? [],
    recall: (known, shown) => recallAll({ hopTokens, routes, volatility }, known, shown),
  };
}

function recallAll(
  { hopTokens, routes, volatility }: MarketParts,
  known: DeepSince,
  shown: Snapshot | undefined,
): void {
  hopTokens?.recall(known);
  if (shown === undefined) return;
  routes.recall(shown);
  volatility.recall(shown);
}

/** Wei that the most valuable of what can be bought from a pool is worth; undefined when none of its tokens has a rate. */
function depthIn({ rates, block }: Snapshot, pool: Pool): bigint | undefined {
  let deepest: bigint | undefined;
  for (const [buy, token] of pool.tokens.entries()) {
    const rate = rates.perNative(token);
    if (rate === undefined) continue;
    for (const sell of pool.tokens.keys()) {
      if (sell === buy) continue;
      const { maxBuy } = mathOf(pool).limits(pool.state, { sell, buy }, block.timestamp);
      const depth = (maxBuy * rate.den) / rate.num;
      if (deepest === undefined || depth > deepest) deepest = depth;
    }
  }
  return deepest;
}
