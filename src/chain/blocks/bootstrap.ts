import type { Address, Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { type BackgroundSearch, type SearchRange, startBackgroundSearch } from "../pools/background-search.ts";
import { type DiscoveryProgress, discover, firstBlock } from "../pools/discovery.ts";
import type { Found } from "../pools/found-pools.ts";
import { type PoolTracker, startPoolTracker } from "../pools/pool-tracker.ts";
import { type RestoredPools, restoredPools } from "../pools/restored-pools.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { BlockGoneError } from "../rpc/provider-errors.ts";
import type { Blocks } from "./blocks.ts";
import { bringForward } from "./catch-up.ts";
import { lags } from "./lag.ts";
import { linkedBelow } from "./linked-blocks.ts";

/** Where following begins: with what an earlier run kept, brought forward, or with everything read anew. */
export interface Beginning {
  /**
   * The pools of `sources` at a block near `head`, those in `asleep` without a state. Where the node `hasHoles`, they are
   * read no further below the head than it can give blocks that are linked to it.
   * @throws what the node failed with: then it is tried again.
   */
  start(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    options: { readonly asleep: ReadonlySet<PoolId>; readonly hasHoles: boolean },
  ): Promise<PoolTracker>;
  /** Has the next start begin with what was followed so far: with the states, or with what pools there are alone. */
  hold(state: KeptState, withStates: boolean): void;
  /** Nothing of what was found so far is believed any more. */
  forget(): void;
  /** How far the search for pools has come, while there is one. */
  progress(): DiscoveryProgress | undefined;
  /**
   * Hands pools that the search in the background has found since, at most so many, to `take`, and answers them.
   * @throws what `take` does: then they are handed over again.
   */
  handOver(most: number, take: (found: readonly Found[]) => Promise<void>): Promise<readonly Found[]>;
  /** What of the search in the background is left to a later run. */
  rest(): SearchRange | undefined;
  /** Ends the search in the background; none begins any more. */
  stop(): Promise<void>;
}

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
/** Tokens whose pools are asked for two by two, the first of the list. */
const MOST_LISTED = 120;

export function createBeginning(options: {
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
  /** Tokens whose pools matter most, the most important first. */
  readonly tokens: readonly Address[];
  /** Blocks whose search is waited for. */
  readonly searchAtOnce?: bigint;
  readonly loadState: (() => Promise<KeptState | undefined>) | undefined;
  readonly keepDiscovery: ((state: KeptState) => Promise<void>) | undefined;
}): Beginning {
  const { reader, record, blocks, ringSize, clock, logger } = options;
  let discovery: DiscoveryProgress | undefined;
  let saved: KeptState | undefined;
  let tries = 0;
  /** What an earlier run kept is of the past once the chain is followed. */
  let isPast = false;
  let search: BackgroundSearch | undefined;
  let stopped = false;
  /** Searches that were given up. */
  let ending: Promise<unknown> = Promise.resolve();

  async function loadFile(): Promise<KeptState | undefined> {
    try {
      return await options.loadState?.();
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, "the kept state is of no use");
      isPast = true;
      return undefined;
    }
  }

  /**
   * What was held or kept, if its block is still on the chain. Whatever is wrong with it, it is done without.
   * @throws BlockGoneError while the node is behind it, and what the node failed with.
   */
  async function loadKept(
    sources: readonly LiquiditySource[],
    head: Header,
    hasHoles: boolean,
  ): Promise<RestoredPools | undefined> {
    if (!isPast) saved ??= await loadFile();
    if (saved === undefined) return undefined;
    if (lags(head, saved.block, record)) throw new BlockGoneError("the node is behind the block that was followed to");
    const base = saved.block.number > head.number ? undefined : await blockAt(saved.block.number, hasHoles);
    if (base?.hash === saved.block.hash) return restoredPools(saved, sources, base, record);
    logger.warn({ block: Number(saved.block.number) }, "the kept state is of another chain's block");
    return undefined;
  }

  /** The block of a height; undefined where the node has holes and this is one. */
  async function blockAt(height: bigint, hasHoles: boolean): Promise<Header | undefined> {
    return blocks.byNumber(height).catch((error: unknown) => {
      if (hasHoles && error instanceof BlockGoneError) return undefined;
      throw error;
    });
  }

  /** The block to read at, so far below the head as there is nothing missing in between. */
  async function baseBelow(head: Header, hasHoles: boolean): Promise<Header> {
    if (!hasHoles) return blocks.byNumber(head.number > BASE_DEPTH ? head.number - BASE_DEPTH : 0n);
    const links = await linkedBelow(blocks, head, Number(BASE_DEPTH));
    return links.at(-1)?.parent ?? head;
  }

  /** Pools at a block: with the states that are given or, without them, read there. */
  async function trackAt(
    base: Header,
    sources: readonly LiquiditySource[],
    pools: Pick<RestoredPools, "found" | "asleep"> & Partial<Pick<RestoredPools, "states">>,
  ): Promise<PoolTracker> {
    const { found, asleep, states } = pools;
    const tracker = await startPoolTracker({
      ...{ reader, store: options.store(), sources, found, asleep, base, ringSize, clock },
      ...(states && { states }),
    });
    if (!(await blocks.knows(base.hash))) throw new BlockGoneError("the block that was read at is gone");
    return tracker;
  }

  /** All pools that are announced from a block on to `to`, and those that were known before. */
  async function searchNow(
    sources: readonly LiquiditySource[],
    to: Header,
    fromBlock: bigint,
    known: readonly Found[],
  ): Promise<readonly Found[]> {
    let keptAt = clock.elapsed();
    const found = await discover({
      ...{ reader, sources, record, to, clock, headerOf: blocks.byNumber, fromBlock, found: known },
      async onWindow(progress, block, sofar) {
        discovery = progress;
        const { fromBlock: from, nextBlock, toBlock } = progress;
        const range = { fromBlock: Number(from), nextBlock: Number(nextBlock), toBlock: Number(toBlock) };
        logger.info({ ...progress, ...range }, "searching for pools");
        if (clock.elapsed() - keptAt < KEEP_DISCOVERY_EVERY_MS) return;
        keptAt = clock.elapsed();
        const pools = sofar.map(({ ref, source }) => ({ source: source.id, ref, pool: undefined }));
        await options.keepDiscovery?.({ block, pools, sources: sources.map(({ id }) => id) });
      },
    });
    discovery = undefined;
    return found;
  }

  /** The pools of the listed tokens, asked of the factories, and those that were known before. */
  async function askForListed(
    sources: readonly LiquiditySource[],
    base: Header,
    known: readonly Found[],
  ): Promise<readonly Found[]> {
    const tokens = options.tokens.slice(0, MOST_LISTED);
    const found = new Map(known.map((entry) => [entry.ref.id, entry]));
    for (const source of sources) {
      const refs = [...(source.fixed?.() ?? []), ...((await source.between?.(reader, tokens, base)) ?? [])];
      for (const ref of refs) found.set(ref.id, { ref, source });
    }
    logger.info({ pools: found.size, tokens: tokens.length }, "pools of the listed tokens first");
    return [...found.values()];
  }

  /** A search that takes another one's place does not wait until that has come to its end: the head would, too. */
  function searchBeside(sources: readonly LiquiditySource[], range: SearchRange): void {
    if (stopped) return;
    ending = Promise.all([ending, search?.stop()]);
    search = startBackgroundSearch({ reader, sources, record, clock, logger, headerOf: blocks.byNumber, range });
  }

  /** Pools read near the head: all of them or, where finding them takes long, those of the listed tokens first. */
  async function readNew(
    sources: readonly LiquiditySource[],
    head: Header,
    kept: RestoredPools | undefined,
    { asleep, hasHoles }: Parameters<Beginning["start"]>[3],
  ): Promise<PoolTracker> {
    // A search that ended before its end goes on from there, where what it has found is known still.
    const first = kept === undefined ? firstBlock(sources, record) : (kept.search?.next ?? kept.base.number + 1n);
    const base = await baseBelow(head, hasHoles);
    const canAsk = options.tokens.length > 1 && sources.some(({ between }) => between !== undefined);
    const isLong = base.number - first > (options.searchAtOnce ?? SEARCH_AT_ONCE);
    const known = kept?.found ?? [];
    const isBeside = search !== undefined || (canAsk && isLong);
    const found = isBeside ? await askForListed(sources, base, known) : await searchNow(sources, base, first, known);
    const pools = await trackAt(base, sources, { found, asleep: kept?.asleep ?? asleep });
    if (isBeside) searchBeside(sources, { next: first, to: base.number });
    return pools;
  }

  /** The kept pools near the head; undefined when so much has happened since that reading all pools anew is quicker. */
  async function readKept(
    sources: readonly LiquiditySource[],
    head: Header,
    topics: readonly Hex[],
    kept: RestoredPools,
  ): Promise<PoolTracker | undefined> {
    if (head.number - kept.base.number > MAX_REPLAY) return undefined;
    const pools = await trackAt(kept.base, sources, kept);
    await bringForward(pools, { blocks, head, topics, stride: Math.floor(ringSize / 2), later: options.later });
    logger.info({ block: Number(kept.base.number), pools: kept.found.length }, "going on from the kept state");
    if (kept.search !== undefined) searchBeside(sources, kept.search);
    return pools;
  }

  return {
    async start(sources, head, topics, options) {
      const { hasHoles } = options;
      const kept = tries < 2 * TRIES_WITH_KEPT ? await loadKept(sources, head, hasHoles) : undefined;
      // When the way from there cannot be found, which pools there were is still known, for as many tries.
      const isWayOpen = kept !== undefined && tries++ < TRIES_WITH_KEPT && !hasHoles;
      const brought = isWayOpen ? await readKept(sources, head, topics, kept) : undefined;
      const pools = brought ?? (await readNew(sources, head, kept, options));
      isPast = true;
      saved = undefined;
      return pools;
    },
    hold(state, withStates) {
      saved = state;
      tries = withStates ? 0 : TRIES_WITH_KEPT;
    },
    forget() {
      saved = undefined;
    },
    progress: () => discovery ?? search?.progress(),
    handOver: async (most, take) => (await search?.handOver(most, take)) ?? [],
    rest: () => search?.rest(),
    async stop() {
      stopped = true;
      await Promise.all([ending, search?.stop()]);
    },
  };
}
