import type { Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import { type BackgroundSearch, type SearchRange, startBackgroundSearch } from "../pools/background-search.ts";
import { type DiscoveryProgress, discover } from "../pools/discovery.ts";
import type { Found } from "../pools/found-pools.ts";
import { poolsOfListed } from "../pools/listed-pools.ts";
import { type PoolTracker, startPoolTracker } from "../pools/pool-tracker.ts";
import { type RestoredPools, restoredPools, searchOf } from "../pools/restored-pools.ts";
import type { Header } from "../rpc/codec.ts";
import { BlockGoneError, isPruned } from "../rpc/provider-errors.ts";
import type { Beginning, BeginningOptions } from "./beginning.ts";
import { bringForward } from "./catch-up.ts";
import { linkedBelow } from "./linked-blocks.ts";
import { lags } from "./path-to-head.ts";

/**
 * Pools are read this far below the head and followed from there: ranges of logs cannot be held to a bloom, and it is for
 * the newest blocks that nodes answer them short.
 */
const BASE_DEPTH = 16n;
/** Blocks that a kept state is brought forward by their logs; beyond them reading all pools anew is quicker. */
const MAX_REPLAY = 2_000n;
const KEEP_DISCOVERY_EVERY_MS = 10_000;
const TRIES_WITH_KEPT = 5;
/** A search over more blocks would keep everybody waiting: pools of the listed tokens come first then. */
const SEARCH_AT_ONCE = 250_000n;

export function createBeginning(options: BeginningOptions): Beginning {
  return new ChainBeginning(options);
}

class ChainBeginning implements Beginning {
  readonly #options: BeginningOptions;
  #discovery: DiscoveryProgress | undefined;
  #saved: KeptState | undefined;
  #tries = 0;
  /** What an earlier run kept is of the past once the chain is followed. */
  #isPast = false;
  #search: BackgroundSearch | undefined;
  #stopped = false;
  /** Searches that were given up. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: BeginningOptions) {
    this.#options = options;
  }

  async start(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    options: Parameters<Beginning["start"]>[3],
  ): Promise<PoolTracker> {
    const kept = this.#tries < 2 * TRIES_WITH_KEPT ? await this.#loadKept(sources, head, options.hasHoles) : undefined;
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

  progress(): DiscoveryProgress | undefined {
    return this.#discovery ?? this.#search?.progress();
  }

  peek(most: number): readonly Found[] {
    return this.#search?.peek(most) ?? [];
  }

  drop(count: number): void {
    this.#search?.drop(count);
  }

  rest(): readonly SearchRange[] {
    return this.#search?.rest() ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#ending, this.#search?.stop()]);
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
   * What was held or kept, if its block is still on the chain. Whatever is wrong with it, it is done without.
   * @throws BlockGoneError while the node is behind it, and what the node failed with.
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
    if (base?.hash === this.#saved.block.hash) return restoredPools(this.#saved, sources, base, record);
    logger.warn({ block: Number(this.#saved.block.number) }, "the kept state is of another chain's block");
    return undefined;
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
    pools: Pick<RestoredPools, "found" | "asleep"> & Partial<Pick<RestoredPools, "states">>,
  ): Promise<PoolTracker> {
    const { reader, blocks, ringSize, clock, store } = this.#options;
    const { found, asleep, states } = pools;
    const tracker = await startPoolTracker({
      ...{ reader, store: store(), sources, found, asleep, base, ringSize, clock },
      ...(states && { states }),
    });
    if (!(await blocks.knows(base.hash))) throw new BlockGoneError("the block that was read at is gone");
    return tracker;
  }

  /** All pools that are announced from a block on to `to`, and those that were known before. */
  async #searchNow(
    sources: readonly LiquiditySource[],
    to: Header,
    fromBlock: bigint,
    known: readonly Found[],
  ): Promise<readonly Found[]> {
    const { history: reader, record, blocks, clock, logger, keepDiscovery } = this.#options;
    let keptAt = clock.elapsed();
    const found = await discover({
      ...{ reader, sources, record, to, clock, headerOf: blocks.byNumber, fromBlock, found: known },
      onWindow: async (progress, block, sofar) => {
        this.#discovery = progress;
        const { fromBlock: from, nextBlock, toBlock } = progress;
        const range = { fromBlock: Number(from), nextBlock: Number(nextBlock), toBlock: Number(toBlock) };
        logger.info({ ...progress, ...range }, "searching for pools");
        if (clock.elapsed() - keptAt < KEEP_DISCOVERY_EVERY_MS) return;
        keptAt = clock.elapsed();
        const pools = sofar.map(({ ref, source }) => ({ source: source.id, ref, pool: undefined }));
        await keepDiscovery?.({ block, pools, sources: sources.map(({ id }) => id) });
      },
    });
    this.#discovery = undefined;
    return found;
  }

  /** The pools of the listed tokens, asked of the factories, and those that were known before. */
  async #askForListed(
    sources: readonly LiquiditySource[],
    at: Header,
    known: readonly Found[],
  ): Promise<readonly Found[]> {
    const { reader, logger, tokens } = this.#options;
    const found = await poolsOfListed(reader, sources, { tokens, at, known });
    logger.info({ pools: found.length, tokens: tokens.length }, "pools of the listed tokens first");
    return found;
  }

  /** A search that takes another one's place does not wait until that has come to its end: the head would, too. */
  #searchBeside(sources: readonly LiquiditySource[], ranges: readonly SearchRange[]): void {
    const { history: reader, record, blocks, clock, logger } = this.#options;
    if (this.#stopped) return;
    this.#ending = Promise.all([this.#ending, this.#search?.stop()]);
    this.#search = startBackgroundSearch({ reader, sources, record, clock, logger, headerOf: blocks.byNumber, ranges });
  }

  /** Pools read near the head: all of them or, where finding them takes long, those of the listed tokens first. */
  async #readNew(
    sources: readonly LiquiditySource[],
    head: Header,
    kept: RestoredPools | undefined,
    { asleep, hasHoles }: Parameters<Beginning["start"]>[3],
  ): Promise<PoolTracker> {
    const { record } = this.#options;
    const base = await this.#baseBelow(head, hasHoles);
    // A search that ended before its end goes on from there, where what it has found is known still.
    const ranges =
      kept === undefined
        ? searchOf(sources, base.number, record)
        : [...kept.searches, ...sinceKept(sources, kept, base)];
    const known = kept?.found ?? [];
    const now = this.#isLong(sources, ranges) ? undefined : await this.#searchIfKept(sources, base, ranges, known);
    const found = now ?? (await this.#askForListed(sources, base, known));
    const pools = await this.#trackAt(base, sources, { found, asleep: kept?.asleep ?? asleep });
    if (now === undefined) this.#searchBeside(sources, ranges);
    return pools;
  }

  /** Whether a search takes so long that pools of the listed tokens come first. */
  #isLong(sources: readonly LiquiditySource[], ranges: readonly SearchRange[]): boolean {
    const { tokens, searchAtOnce } = this.#options;
    const canAsk = tokens.length > 1 && sources.some(({ between }) => between !== undefined);
    const blocks = ranges.reduce((sum, { next, to }) => sum + (to - next + 1n), 0n);
    return this.#search !== undefined || (canAsk && blocks > (searchAtOnce ?? SEARCH_AT_ONCE));
  }

  /** All pools; undefined where the logs that announce them are pruned: that search would keep everybody waiting for ever. */
  async #searchIfKept(
    sources: readonly LiquiditySource[],
    base: Header,
    ranges: readonly SearchRange[],
    known: readonly Found[],
  ): Promise<readonly Found[] | undefined> {
    try {
      const next = ranges.reduce((least, range) => (range.next < least ? range.next : least), base.number + 1n);
      return await this.#searchNow(sources, base, next, known);
    } catch (error) {
      if (!isPruned(error)) throw error;
      this.#discovery = undefined;
      return undefined;
    }
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
    const pools = await this.#trackAt(kept.base, sources, kept);
    await bringForward(pools, { blocks, head, topics, stride: Math.floor(ringSize / 2), later: later });
    logger.info({ block: Number(kept.base.number), pools: kept.found.length }, "going on from the kept state");
    if (kept.searches.length > 0) this.#searchBeside(sources, kept.searches);
    return pools;
  }
}

/** What there is to search beyond the block that pools were kept at. */
function sinceKept(sources: readonly LiquiditySource[], kept: RestoredPools, base: Header): readonly SearchRange[] {
  const announcing = sources.filter(({ creation }) => creation !== undefined).map(({ id }) => id);
  const next = kept.base.number + 1n;
  return announcing.length === 0 || next > base.number ? [] : [{ sources: announcing, next, to: base.number }];
}
