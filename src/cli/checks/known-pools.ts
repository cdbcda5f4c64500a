import type { ChainRecord } from "../../chain/chains/chain-record.ts";
import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";

/** Pools of a source that are looked at: some cannot be read or traded with. */
const POOLS_READ = 12;
/** Blocks that are searched for a new pool where the factory cannot be asked, or names none. */
const RECENT_BLOCKS = 1_000n;
/** Reference tokens that factories are asked for pools of. */
const TOKENS_ASKED = 6;

/** Finding of a look for pools that found none. */
export const NO_POOLS =
  "no pool of the reference tokens, and none was made lately: if the venue has such pools, the record's address is wrong";

/** Some pools of a source: the listed ones, those that its factory names for the reference tokens, or the newest. */
export async function knownPools(
  source: LiquiditySource,
  { reader, record }: { readonly reader: ChainReader; readonly record: ChainRecord },
  at: BlockRef,
): Promise<readonly PoolRef[]> {
  const listed = source.fixed?.() ?? [];
  if (listed.length > 0) return listed.slice(0, POOLS_READ);
  const tokens = [NATIVE_TOKEN, record.wrappedNative, ...(record.referenceTokens ?? []).slice(0, TOKENS_ASKED)];
  const named = (await source.between?.(reader, [...new Set(tokens)], at)) ?? [];
  if (named.length > 0) return named.slice(0, POOLS_READ);
  const { creation, created } = source;
  if (creation === undefined || created === undefined) return [];
  const fromBlock = at.number > RECENT_BLOCKS ? at.number - RECENT_BLOCKS : 0n;
  const logs = await reader.logs({ ...creation, fromBlock, to: at });
  return logs.flatMap((log) => created.call(source, log) ?? []).slice(0, POOLS_READ);
}
