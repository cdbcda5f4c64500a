import type { BlockRef } from "../domain/block.ts";
import type { ChainReader } from "../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../market/liquidity-source.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { announced } from "./pool-tracker.ts";

/** A pool and the source that it belongs to. */
export interface Found {
  readonly ref: PoolRef;
  readonly source: LiquiditySource;
}

/** All pools that exist at block `to`: fixed ones, and those announced since each venue's first block. */
export async function discover(
  reader: ChainReader,
  sources: readonly LiquiditySource[],
  record: ChainRecord,
  to: BlockRef,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const source of sources) {
    for (const ref of source.fixed?.() ?? []) found.push({ ref, source });
    if (source.creation === undefined) continue;
    const fromBlock = record.venues.find((venue) => venue.source === source.id)?.fromBlock ?? 0n;
    const { addresses, topics } = source.creation;
    const logs = await reader.logs({ addresses, topics, fromBlock, to });
    for (const log of logs) found.push(...announced(log, [source]));
  }
  return found;
}
