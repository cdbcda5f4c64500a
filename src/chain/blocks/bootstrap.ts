import type { Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { CatalogFault, type PoolCatalog } from "../../market/pool-catalog.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import { startPoolTracker } from "../pools/tracker-of-blocks.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { BlockGoneError } from "../rpc/provider-errors.ts";
import type { SearchRange } from "../search/background-search.ts";
import type { PoolSearch } from "../search/pool-search.ts";
import { type RestoredPools, restoredPools, searchOf } from "../search/restored-pools.ts";
import type { Blocks } from "./blocks.ts";
import { catchUp } from "./catch-up.ts";
import { linkedBelow } from "./linked-blocks.ts";
import { lags } from "./path-to-head.ts";

/** Start of following: from the state that an earlier run kept, brought forward, or with all pools read anew. */
export interface Bootstrap {
  /**
   * The pools of `sources` at a block near `head`, those that sleep without a state. Where the node `hasHoles`, they are
   * read no further below the head than it can give blocks that are linked to it.
   * @throws what the node failed with: then it is tried again.
   */
  start(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    options: { readonly hasHoles: boolean },
  ): Promise<PoolTracker>;
  /** Has the next start begin with what was followed so far: with the states, or with what pools there are alone. */
  hold(state: KeptState, withStates: boolean): void;
  /** Nothing of what was found so far is believed any more. */
  forget(): void;
}

/**
 * Pools are read this far below the head and followed from there: ranges of logs cannot be held to a bloom, and it is for
 * the newest blocks that nodes answer them short.
 */
const BASE_DEPTH = 16n;
/** Blocks that a kept state is brought forward by their logs; beyond them reading all pools anew is quicker. */
const MAX_REPLAY = 2_000n;
const TRIES_WITH_KEPT = 5;
/** Shortest time between two log lines about one kind of trouble, ms. */
const TOLD_EVERY_MS = 60_000;

/** Dependencies and limits of a bootstrap. */
export interface BootstrapOptions {
  readonly reader: ChainReader;
  readonly record: ChainRecord;
  readonly blocks: Blocks;
  /** The store to fill. */
  readonly store: () => PoolStore;
  readonly ringSize: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Takes pools whose state could not be brought forward: they are to be read at the head. */
  readonly later: (ids: readonly PoolId[]) => void;
  readonly loadState: (() => Promise<KeptState | undefined>) | undefined;
  readonly search: PoolSearch;
  /** Catalog of sleeping pools; without it they are kept in memory. */
  readonly catalog: PoolCatalog | undefined;
  /** Terms that each source's pools are read with. */
  readonly terms: ReadonlyMap<SourceId, string> | undefined;
}

export function createBootstrap(options: BootstrapOptions): Bootstrap {
  return new ChainBeginning(options);
}

class ChainBeginning implements Bootstrap {
  readonly #options: BootstrapOptions;
  #saved: KeptState | undefined;
  #tries = 0;
  /** Whether the kept state is out of date: it is, once the chain has been followed. */
  #isPast = false;
  readonly #mayLog: (kind: string) => boolean;

  constructor(options: BootstrapOptions) {
    this.#options = options;
    this.#mayLog = createThrottle(TOLD_EVERY_MS, options.clock.elapsed);
  }

  async start(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    options: Parameters<Bootstrap["start"]>[3],
  ): Promise<PoolTracker> {
    const kept = this.#tries < 2 * TRIES_WITH_KEPT ? await this.#loadKept(sources, head, options.hasHoles) : undefined;
    // Pools that sleep are searched again with all others, and judged again.
    if (kept === undefined) await this.#emptyCatalog();
    // When the way from there cannot be found, which pools there were is still known, for as many tries.
    const isWayOpen = kept !== undefined && this.#tries++ < TRIES_WITH_KEPT && !options.hasHoles;
    const brought = isWayOpen ? await this.#readKept(sources, head, topics, kept) : undefined;
    const pools = brought ?? (await this.#readNew(sources, head, kept, options));
    this.#isPast = true;
    this.#saved = undefined;
    return pools;
  }

  hold(state: KeptState, withStates: boolean): void {
    this.#saved = state;
    this.#tries = withStates ? 0 : TRIES_WITH_KEPT;
  }

  forget(): void {
    this.#saved = undefined;
  }

  async #loadFile(): Promise<KeptState | undefined> {
    try {
      return await this.#options.loadState?.();
    } catch (error) {
      this.#options.logger.warn({ reason: messageOf(error) }, "the kept state is of no use");
      this.#isPast = true;
      return undefined;
    }
  }

  /**
   * Held or kept state, if its block is still on the chain; undefined if it is missing or broken.
   * @throws BlockGoneError while the node is behind its block, and the node's error if a call fails
   */
  async #loadKept(
    sources: readonly LiquiditySource[],
    head: Header,
    hasHoles: boolean,
  ): Promise<RestoredPools | undefined> {
    const { record, logger } = this.#options;
    if (!this.#isPast) this.#saved ??= await this.#loadFile();
    if (this.#saved === undefined) return undefined;
    if (lags(head, this.#saved.block, record))
      throw new BlockGoneError("the node is behind the block that was followed to");
    const base =
      this.#saved.block.number > head.number ? undefined : await this.#blockAt(this.#saved.block.number, hasHoles);
    if (base?.hash === this.#saved.block.hash) return restoredPools(this.#wholeOf(this.#saved), sources, base, record);
    logger.warn({ block: Number(this.#saved.block.number) }, "the kept state is of another chain's block");
    return undefined;
  }

  /** A kept state without what it counts on in a catalog that does not have it: all is searched again then. */
  #wholeOf(saved: KeptState): KeptState {
    const { catalog, logger } = this.#options;
    try {
      if (saved.catalog === undefined || catalog?.holds(saved.catalog) === true) return saved;
    } catch (error) {
      this.#tell(error);
    }
    logger.warn(
      { pools: saved.pools.length },
      "pools that slept are not on the disk any more: they are searched again",
    );
    return { ...saved, sources: [] };
  }

  async #emptyCatalog(): Promise<void> {
    await this.#options.catalog?.begin(new Map(), () => false).catch((error: unknown) => this.#tell(error));
  }

  #tell(error: unknown): void {
    if (!(error instanceof CatalogFault)) throw error;
    if (this.#mayLog(error.message))
      this.#options.logger.error({ reason: error.message }, "pools that sleep cannot be kept or found on the disk");
  }

  /** The block of a height; undefined where the node has holes and this is one. */
  async #blockAt(height: bigint, hasHoles: boolean): Promise<Header | undefined> {
    return this.#options.blocks.byNumber(height).catch((error: unknown) => {
      if (hasHoles && error instanceof BlockGoneError) return undefined;
      throw error;
    });
  }

  /** The block to read at, so far below the head as there is nothing missing in between. */
  async #baseBelow(head: Header, hasHoles: boolean): Promise<Header> {
    const { blocks } = this.#options;
    if (!hasHoles) return blocks.byNumber(head.number > BASE_DEPTH ? head.number - BASE_DEPTH : 0n);
    const links = await linkedBelow(blocks, head, Number(BASE_DEPTH));
    return links.at(-1)?.parent ?? head;
  }

  /** Pools at a block: with the states that are given or, without them, read there. */
  async #trackAt(
    base: Header,
    sources: readonly LiquiditySource[],
    pools: Pick<RestoredPools, "found" | "asleep" | "refused"> & Partial<Pick<RestoredPools, "states" | "later">>,
  ): Promise<PoolTracker> {
    const { reader, blocks, ringSize, clock, store, catalog, terms } = this.#options;
    const { found, asleep, refused, states, later } = pools;
    const tracker = await startPoolTracker({
      ...{ reader, store: store(), sources, found, asleep, refused, base, ringSize, clock, catalog, terms },
      onCatalogFault: (fault) => this.#tell(fault),
      ...(states && { states, later }),
    });
    if (!(await blocks.knows(base.hash))) throw new BlockGoneError("the block that was read at is gone");
    return tracker;
  }

  /** Pools read near the head: all of them or, where finding them takes long, those of the listed tokens first. */
  async #readNew(
    sources: readonly LiquiditySource[],
    head: Header,
    kept: RestoredPools | undefined,
    { hasHoles }: Parameters<Bootstrap["start"]>[3],
  ): Promise<PoolTracker> {
    const { record, search } = this.#options;
    const base = await this.#baseBelow(head, hasHoles);
    // A search that ended before its end goes on from there, where what it has found is known still.
    const ranges =
      kept === undefined
        ? searchOf(sources, base.number, record)
        : [...kept.searches, ...sinceKept(sources, kept, base)];
    const known = { found: kept?.found ?? [], refused: kept?.refused ?? [] };
    const { rest, ...found } = await search.find(sources, { ranges, base, known });
    const pools = await this.#trackAt(base, sources, { ...found, asleep: kept?.asleep ?? new Set() });
    if (rest !== undefined) search.goOn(sources, rest);
    return pools;
  }

  /** The kept pools near the head; undefined when so much has happened since that reading all pools anew is quicker. */
  async #readKept(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    kept: RestoredPools,
  ): Promise<PoolTracker | undefined> {
    const { blocks, ringSize, logger, later } = this.#options;
    if (head.number - kept.base.number > MAX_REPLAY) return undefined;
    // A node that is not as far would leave the pools that wait for that block without a state.
    const isThere = kept.later !== undefined && kept.later.at.number <= head.number;
    const pools = await this.#trackAt(kept.base, sources, isThere ? kept : { ...kept, later: undefined });
    await catchUp(pools, { blocks, head, topics, stride: Math.floor(ringSize / 2), later: later });
    logger.info({ block: Number(kept.base.number), pools: kept.found.length }, "going on from the kept state");
    if (kept.searches.length > 0) this.#options.search.goOn(sources, kept.searches);
    return pools;
  }
}

/** Blocks after the kept state's block that are still to be searched for pools. */
function sinceKept(sources: readonly LiquiditySource[], kept: RestoredPools, base: Header): readonly SearchRange[] {
  const announcing = sources.filter(({ creation }) => creation !== undefined).map(({ id }) => id);
  const next = kept.base.number + 1n;
  return announcing.length === 0 || next > base.number ? [] : [{ sources: announcing, next, to: base.number }];
}
