import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Found } from "../pools/found-pools.ts";
import { type RefusedCount, RefusedCounts } from "../pools/unserved-pools.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { isPruned } from "../rpc/provider-errors.ts";
import { type BackgroundSearch, type SearchRange, startBackgroundSearch } from "./background-search.ts";
import { type DiscoveryProgress, discover, withFixed } from "./discovery.ts";
import { poolsOfListed } from "./listed-pools.ts";
import { type PoolLists, startPoolLists } from "./pool-lists.ts";
import type { RestoredPools } from "./restored-pools.ts";
import { searchSteps } from "./search-steps.ts";

/** Pools that are known, and how many were announced that are not served. */
type KnownPools = Pick<RestoredPools, "found" | "refused">;

const KEEP_DISCOVERY_EVERY_MS = 10_000;
/** A search over more blocks would keep everybody waiting: pools of the listed tokens come first then. */
const SEARCH_AT_ONCE = 250_000n;
/** Pools of lists that are taken in at a time: each takes some dozens of calls. */
const MAX_OF_LISTS = 40;

interface PoolSearchOptions {
  readonly reader: ChainReader;
  /** Reads what nobody waits for: lists of pools. */
  readonly patient: ChainReader;
  /** Reads logs of old blocks. */
  readonly history: ChainReader;
  readonly record: ChainRecord;
  readonly headerOf: (blockNumber: bigint) => Promise<Header>;
  readonly latest: () => Promise<BlockRef>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tokens whose pools matter most, the most important first. */
  readonly tokens: readonly Address[];
  /** Blocks whose search is waited for. */
  readonly searchAtOnce?: bigint | undefined;
  readonly keepDiscovery: ((state: KeptState) => Promise<void>) | undefined;
}

/** All ways in which pools are found: before the chain is followed, and beside that. */
export class PoolSearch {
  readonly #options: PoolSearchOptions;
  #discovery: DiscoveryProgress | undefined;
  #beside: BackgroundSearch | undefined;
  #lists: PoolLists | undefined;
  #stopped = false;
  /** Searches that were given up. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: PoolSearchOptions) {
    this.#options = options;
  }

  /**
   * Pools that exist at `base`: all that `ranges` announce and all that are known or, where finding them takes long or cannot
   * be done, those of the listed tokens; `rest` is then left to `goOn`.
   */
  async find(
    sources: readonly LiquiditySource[],
    {
      ranges,
      base,
      known,
    }: { readonly ranges: readonly SearchRange[]; readonly base: Header; readonly known: KnownPools },
  ): Promise<KnownPools & { readonly rest?: readonly SearchRange[] }> {
    const { reader, logger, tokens } = this.#options;
    const now = this.#isLong(sources, ranges) ? undefined : await this.#searchIfKept(sources, base, ranges, known);
    if (now !== undefined) return now;
    const found = await poolsOfListed(reader, sources, { tokens, at: base, known: known.found });
    logger.info({ pools: found.length, tokens: tokens.length }, "pools of the listed tokens first");
    return { found, refused: known.refused, rest: ranges };
  }

  /** Goes on beside the following. A search that takes another one's place does not wait for its end: the head would, too. */
  goOn(sources: readonly LiquiditySource[], ranges: readonly SearchRange[]): void {
    const { history: reader, record, headerOf, clock, logger } = this.#options;
    if (this.#stopped) return;
    this.#ending = Promise.all([this.#ending, this.#beside?.stop()]);
    this.#beside = startBackgroundSearch({ reader, sources, record, clock, logger, headerOf, ranges });
  }

  /** Looks through the lists of contracts from now on, for pools that are not held. */
  lookThroughLists(sources: readonly LiquiditySource[], isHeld: (id: PoolId) => boolean): void {
    const { patient: reader, latest, clock, logger } = this.#options;
    if (this.#stopped) return;
    this.#ending = Promise.all([this.#ending, this.#lists?.stop()]);
    this.#lists = startPoolLists({ reader, sources, latest, isHeld, clock, logger });
  }

  /** Progress of the search for announced pools, while one runs. */
  progress(): DiscoveryProgress | undefined {
    return this.#discovery ?? this.#beside?.progress();
  }

  /** The next pools that were found beside the following, at most so many of each kind. They stay until they are dropped. */
  peek(most: number): readonly Found[] {
    const announced = this.#beside?.peek(most) ?? [];
    return [...announced, ...(this.#lists?.peek(Math.min(most, MAX_OF_LISTS)) ?? [])];
  }

  /** The pools that `peek` answered were taken. Answers how many were announced in the blocks done with that are not served. */
  drop(taken: readonly Found[]): readonly RefusedCount[] {
    const announced = taken.filter((pool) => this.#lists?.drop(pool) !== true);
    return this.#beside?.drop(announced.length) ?? [];
  }

  /** Ranges that the background search leaves to a later run. */
  rest(): readonly SearchRange[] {
    return this.#beside?.rest() ?? [];
  }

  /** Why pools of a source that were found in lists are not served, one by one. */
  refused(source: SourceId): Iterable<UnservedReason> {
    return this.#lists?.refused(source) ?? [];
  }

  /** Ends what goes on beside the following; nothing begins any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#ending, this.#beside?.stop(), this.#lists?.stop()]);
  }

  /** Whether a search takes so long that pools of the listed tokens come first. */
  #isLong(sources: readonly LiquiditySource[], ranges: readonly SearchRange[]): boolean {
    const { tokens, searchAtOnce } = this.#options;
    const canAsk = tokens.length > 1 && sources.some(({ between }) => between !== undefined);
    const blocks = ranges.reduce((sum, { next, to }) => sum + (to - next + 1n), 0n);
    return this.#beside !== undefined || (canAsk && blocks > (searchAtOnce ?? SEARCH_AT_ONCE));
  }

  /** All pools; undefined where the logs that announce them are pruned: that search would keep everybody waiting for ever. */
  async #searchIfKept(
    sources: readonly LiquiditySource[],
    base: Header,
    ranges: readonly SearchRange[],
    known: KnownPools,
  ): Promise<KnownPools | undefined> {
    try {
      return await this.#searchNow(sources, base, ranges, known);
    } catch (error) {
      if (!isPruned(error)) throw error;
      this.#discovery = undefined;
      return undefined;
    }
  }

  /** All pools that some ranges announce, and those that were known before. */
  async #searchNow(
    sources: readonly LiquiditySource[],
    base: Header,
    ranges: readonly SearchRange[],
    known: KnownPools,
  ): Promise<KnownPools> {
    const { history: reader, record, headerOf, clock } = this.#options;
    const counts = new RefusedCounts(known.refused);
    let keptAt = clock.elapsed();
    let found: readonly Found[] = withFixed(sources, known.found);
    for (const { searched, from, to, isCommon } of searchSteps(sources, ranges)) {
      found = await discover({
        ...{ reader, sources: searched, record, clock, headerOf, fromBlock: from, found },
        to: to === base.number ? base : await headerOf(to),
        onWindow: async (progress, block, { found: sofar, refused }) => {
          counts.addAll(refused);
          this.#tell(progress);
          if (!isCommon || clock.elapsed() - keptAt < KEEP_DISCOVERY_EVERY_MS) return;
          keptAt = clock.elapsed();
          await this.#keep(sources, block, { found: sofar, refused: counts.all() });
        },
      });
    }
    this.#discovery = undefined;
    return { found, refused: counts.all() };
  }

  #tell(progress: DiscoveryProgress): void {
    this.#discovery = progress;
    const { fromBlock: from, nextBlock, toBlock } = progress;
    const range = { fromBlock: Number(from), nextBlock: Number(nextBlock), toBlock: Number(toBlock) };
    this.#options.logger.info({ ...progress, ...range }, "searching for pools");
  }

  /** Keeps what was announced up to a block, so that the next run need not search it again. */
  async #keep(sources: readonly LiquiditySource[], block: BlockRef, { found, refused }: KnownPools): Promise<void> {
    const pools = found.map(({ ref, source }) => ({ source: source.id, ref, pool: undefined }));
    await this.#options.keepDiscovery?.({ block, pools, sources: sources.map(({ id }) => id), refused });
  }
}
