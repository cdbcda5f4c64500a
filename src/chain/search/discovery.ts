import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { announced, type Found, type Refused, refused } from "../pools/found-pools.ts";
import type { Clock } from "../rpc/clock.ts";
import { BlockGoneError } from "../rpc/provider-errors.ts";

/** Progress of a search for pools. */
export interface DiscoveryProgress {
  /** The first block of the search, the next to be looked at, and the last. */
  readonly fromBlock: bigint;
  readonly nextBlock: bigint;
  readonly toBlock: bigint;
  /** Pools found so far. */
  readonly pools: number;
  readonly blocksPerSecond: number;
  /** At the pace so far; undefined before there is one. */
  readonly secondsLeft: number | undefined;
  /** Why the search stands still, as a sentence for operators; undefined while it goes on. */
  readonly trouble?: string | undefined;
  /** Blocks whose logs no node keeps: their pools are missing, but for those that were asked of the factories. */
  readonly unsearchable?: { readonly from: bigint; readonly to: bigint } | undefined;
}

/** Blocks of the first window; the next is twice as long when it took no time, half as long when it took much. */
const FIRST_WINDOW = 100_000n;
const MIN_WINDOW = 1_000n;
const MAX_WINDOW = 10_000_000n;
/** Logs that a window may announce pools by: they are in memory at once. */
const MAX_LOGS = 20_000;
const QUICK_MS = 2_000;
const SLOW_MS = 10_000;
/** Heights in a row that a node may lack where a window ends. */
const MAX_HOLE = 64n;

/**
 * All pools that exist at block `to`: fixed ones, and those announced since each venue's first block, or since
 * `fromBlock`, up to which `found` holds them. Window by window; after each, `onWindow` may keep what was found, and is
 * told which pools the window announces that are not served.
 */
export async function discover(options: {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly record: ChainRecord;
  readonly to: BlockRef;
  readonly clock: Clock;
  readonly headerOf: (blockNumber: bigint) => Promise<BlockRef>;
  readonly fromBlock?: bigint;
  readonly found?: readonly Found[];
  /** Fixed pools are known already, and nothing is kept beyond the window that it was found in. */
  readonly isBeside?: true;
  readonly onWindow?: (
    progress: DiscoveryProgress,
    at: BlockRef,
    pools: { readonly found: readonly Found[]; readonly refused: readonly Refused[] },
  ) => Promise<void>;
}): Promise<readonly Found[]> {
  const { reader, sources, record, to, clock } = options;
  const found = withFixed(options.isBeside === true ? [] : sources, options.found ?? []);
  const first = options.fromBlock ?? firstBlock(sources, record);
  const start = clock.elapsed();
  let window = FIRST_WINDOW;
  for (let from = first; from <= to.number; ) {
    const last = from + window - 1n;
    const end = await endFrom(last, to, options.headerOf);
    const windowStart = clock.elapsed();
    const announcing = sources.filter((s) => s.creation !== undefined && venueStart(s, record) <= end.number);
    const filter = announcing.length === 0 ? undefined : announcementsOf(announcing);
    const logs = filter === undefined ? [] : await reader.logs({ ...filter, fromBlock: from, to: end });
    const notServed: Refused[] = [];
    for (const log of logs) {
      found.push(...announced(log, announcing));
      notServed.push(...refused(log, announcing));
    }
    from = end.number + 1n;
    const tookMs = clock.elapsed() - windowStart;
    const isFull = logs.length > MAX_LOGS;
    if (tookMs < QUICK_MS && window < MAX_WINDOW && 2 * logs.length <= MAX_LOGS) window *= 2n;
    else if ((tookMs > SLOW_MS || isFull) && window > MIN_WINDOW) window /= 2n;
    const seconds = Math.max(clock.elapsed() - start, 1) / 1_000;
    const blocksPerSecond = Number(from - first) / seconds;
    const secondsLeft = blocksPerSecond > 0 ? Math.ceil(Number(to.number + 1n - from) / blocksPerSecond) : undefined;
    const progress = {
      fromBlock: first,
      nextBlock: from,
      toBlock: to.number,
      pools: found.length,
      blocksPerSecond,
      secondsLeft,
    };
    await options.onWindow?.(progress, end, { found, refused: notServed });
    if (options.isBeside === true) found.length = 0;
  }
  return found;
}

/** The fixed pools of sources after those that were known before. */
export function withFixed(sources: readonly LiquiditySource[], known: readonly Found[]): Found[] {
  const found = [...known];
  const ids = new Set(known.map(({ ref }) => ref.id));
  for (const source of sources) {
    for (const ref of source.fixed?.() ?? []) if (!ids.has(ref.id)) found.push({ ref, source });
  }
  return found;
}

/** One filter for all factories: a request costs what it costs, however many there are. */
export function announcementsOf(sources: readonly LiquiditySource[]): {
  readonly addresses: readonly Address[];
  readonly topics: readonly Hex[];
} {
  const creations = sources.flatMap(({ creation }) => creation ?? []);
  return {
    addresses: [...new Set(creations.flatMap(({ addresses }) => addresses))],
    topics: [...new Set(creations.flatMap(({ topics }) => topics))],
  };
}

/** The first block from a height on that the node gives, or `to`. @throws BlockGoneError when it lacks too many in a row */
async function endFrom(
  last: bigint,
  to: BlockRef,
  headerOf: (blockNumber: bigint) => Promise<BlockRef>,
): Promise<BlockRef> {
  for (let height = last; height < to.number; height++) {
    try {
      return await headerOf(height);
    } catch (error) {
      if (!(error instanceof BlockGoneError) || height - last >= MAX_HOLE) throw error;
    }
  }
  return to;
}

function venueStart(source: LiquiditySource, record: ChainRecord): bigint {
  return record.venues.find((venue) => venue.source === source.id)?.fromBlock ?? 0n;
}

/** The first block that may announce a pool. */
export function firstBlock(sources: readonly LiquiditySource[], record: ChainRecord): bigint {
  const starts = sources.filter(({ creation }) => creation !== undefined).map((source) => venueStart(source, record));
  return starts.reduce((least, start) => (start < least ? start : least), starts[0] ?? 0n);
}
