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
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { type BackgroundSearch, type SearchRange, startBackgroundSearch, type TakeFound } from "./background-search.ts";
import { type DiscoveryProgress, discover } from "./discovery.ts";
import type { Found } from "./found-pools.ts";
import { type PoolLists, startPoolLists } from "./pool-lists.ts";
import type { RestoredPools } from "./restored-pools.ts";
import { RefusedCounts } from "./unserved-pools.ts";

/** Pools that are known, and how many were announced that are not served. */
type KnownPools = Pick<RestoredPools, "found" | "refused">;

const KEEP_DISCOVERY_EVERY_MS = 10_000;
/** A search over more blocks would keep everybody waiting: pools of the listed tokens come first then. */
const SEARCH_AT_ONCE = 250_000n;
/** Tokens whose pools are asked for two by two, the first of the list. */
const MOST_LISTED = 120;
/** Pools of lists that are taken in with one step: each takes some dozens of calls. */
const MOST_OF_LISTS = 40;

interface PoolSearchOptions {
  readonly reader: ChainReader;
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
   * Pools that exist at `base`: all that were announced since block `first` or, where finding them takes long, those of the
   * listed tokens; `rest` is then left to `goOn`.
   */
  async find(
    sources: readonly LiquiditySource[],
    { first, base, known }: { readonly first: bigint; readonly base: Header; readonly known: KnownPools },
  ): Promise<KnownPools & { readonly rest?: SearchRange }> {
    const { tokens, searchAtOnce } = this.#options;
    const canAsk = tokens.length > 1 && sources.some(({ between }) => between !== undefined);
    const isLong = base.number - first > (searchAtOnce ?? SEARCH_AT_ONCE);
    if (this.#beside === undefined && !(canAsk && isLong)) return this.#searchNow(sources, base, first, known);
    const found = await this.#askForListed(sources, base, known.found);
    return { found, refused: known.refused, rest: { next: first, to: base.number } };
  }

  /** Goes on beside the following. A search that takes another one's place does not wait for its end: the head would, too. */
  goOn(sources: readonly LiquiditySource[], range: SearchRange): void {
    const { reader, record, headerOf, clock, logger } = this.#options;
    if (this.#stopped) return;
    this.#ending = Promise.all([this.#ending, this.#beside?.stop()]);
    this.#beside = startBackgroundSearch({ reader, sources, record, clock, logger, headerOf, range });
  }

  /** Looks through the lists of contracts from now on, for pools that are not held. */
  lookThroughLists(sources: readonly LiquiditySource[], isHeld: (id: PoolId) => boolean): void {
    const { reader, latest, clock, logger } = this.#options;
    if (this.#stopped) return;
    this.#ending = Promise.all([this.#ending, this.#lists?.stop()]);
    this.#lists = startPoolLists({ reader, sources, latest, isHeld, clock, logger });
  }

  /** How far the search for announced pools has come, while there is one. */
  progress(): DiscoveryProgress | undefined {
    return this.#discovery ?? this.#beside?.progress();
  }

  /**
   * Hands pools that were found beside the following, at most so many, to `take`, and answers them. @throws what `take`
   * does: then they are handed over again.
   */
  async handOver(most: number, take: TakeFound): Promise<readonly Found[]> {
    const announced = (await this.#beside?.handOver(most, take)) ?? [];
    const listed = await this.#lists?.handOver(Math.min(most, MOST_OF_LISTS), (found) => take(found, []));
    return [...announced, ...(listed ?? [])];
  }

  /** What of the search in the background is left to a later run. */
  rest(): SearchRange | undefined {
    return this.#beside?.rest();
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

  /** All pools that are announced from a block on to `to`, and those that were known before. */
  async #searchNow(
    sources: readonly LiquiditySource[],
    to: Header,
    fromBlock: bigint,
    known: KnownPools,
  ): Promise<KnownPools> {
    const { reader, record, headerOf, clock, logger, keepDiscovery } = this.#options;
    const counts = new RefusedCounts(known.refused);
    let keptAt = clock.elapsed();
    const found = await discover({
      ...{ reader, sources, record, to, clock, headerOf, fromBlock, found: known.found },
      onWindow: async (progress, block, { found: sofar, refused }) => {
        this.#discovery = progress;
        counts.addAll(refused);
        const { fromBlock: from, nextBlock, toBlock } = progress;
        const range = { fromBlock: Number(from), nextBlock: Number(nextBlock), toBlock: Number(toBlock) };
        logger.info({ ...progress, ...range }, "searching for pools");
        if (clock.elapsed() - keptAt < KEEP_DISCOVERY_EVERY_MS) return;
        keptAt = clock.elapsed();
        const pools = sofar.map(({ ref, source }) => ({ source: source.id, ref, pool: undefined }));
        await keepDiscovery?.({ block, pools, sources: sources.map(({ id }) => id), refused: counts.all() });
      },
    });
    this.#discovery = undefined;
    return { found, refused: counts.all() };
  }

  /** The pools of the listed tokens, asked of the factories, and those that were known before. */
  async #askForListed(
    sources: readonly LiquiditySource[],
    base: Header,
    known: readonly Found[],
  ): Promise<readonly Found[]> {
    const { reader, logger, tokens } = this.#options;
    const listed = tokens.slice(0, MOST_LISTED);
    const found = new Map(known.map((entry) => [entry.ref.id, entry]));
    for (const source of sources) {
      const refs = [...(source.fixed?.() ?? []), ...((await source.between?.(reader, listed, base)) ?? [])];
      for (const ref of refs) found.set(ref.id, { ref, source });
    }
    logger.info({ pools: found.size, tokens: listed.length }, "pools of the listed tokens first");
    return [...found.values()];
  }
}
