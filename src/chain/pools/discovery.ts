import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import { BlockGoneError } from "../rpc/provider-errors.ts";
import { announced, type Found, type Refused, refused } from "./found-pools.ts";

/** How far a search has come. */
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
}

/** Blocks of the first window; the next is twice as long when it took no time, half as long when it took much. */
const FIRST_WINDOW = 100_000n;
const MIN_WINDOW = 10_000n;
const MAX_WINDOW = 10_000_000n;
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
  readonly onWindow?: (
    progress: DiscoveryProgress,
    at: BlockRef,
    pools: { readonly found: readonly Found[]; readonly refused: readonly Refused[] },
  ) => Promise<void>;
}): Promise<readonly Found[]> {
  const { reader, sources, record, to, clock } = options;
  const found: Found[] = [...(options.found ?? [])];
  const known = new Set(found.map(({ ref }) => ref.id));
  for (const source of sources) {
    for (const ref of source.fixed?.() ?? []) if (!known.has(ref.id)) found.push({ ref, source });
  }
  const first = options.fromBlock ?? firstBlock(sources, record);
  const start = clock.elapsed();
  let window = FIRST_WINDOW;
  for (let from = first; from <= to.number; ) {
    const last = from + window - 1n;
    const end = await endFrom(last, to, options.headerOf);
    const windowStart = clock.elapsed();
    const notServed: Refused[] = [];
    for (const source of sources) {
      const since = venueStart(source, record);
      if (source.creation === undefined || since > end.number) continue;
      const { addresses, topics } = source.creation;
      const logs = await reader.logs({ addresses, topics, fromBlock: since > from ? since : from, to: end });
      for (const log of logs) {
        found.push(...announced(log, [source]));
        notServed.push(...refused(log, [source]));
      }
    }
    from = end.number + 1n;
    const tookMs = clock.elapsed() - windowStart;
    if (tookMs < QUICK_MS && window < MAX_WINDOW) window *= 2n;
    else if (tookMs > SLOW_MS && window > MIN_WINDOW) window /= 2n;
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
  }
  return found;
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
