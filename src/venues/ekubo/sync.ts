import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Tick } from "../../pools/concentrated/state.ts";
import { initializedIn } from "../../pools/concentrated/ticks.ts";
import { type EkuboHead, isConsistent, ofOneRange } from "../../pools/ekubo/changes.ts";
import { tickSpacingOf } from "../../pools/ekubo/config.ts";
import type { EkuboState } from "../../pools/ekubo/state.ts";
import { firstOf, wordSpan, wordsAround } from "../../pools/ekubo/ticks.ts";
import type { Pool } from "../../pools/pool.ts";
import { inGroups, inSlices } from "../reading/slices.ts";
import { type ContractStorage, readStorage, readStorageOfEach } from "../reading/storage.ts";
import { endsOf, scanWords } from "../reading/word-scan.ts";
import { headOf } from "./events.ts";
import { bitmapSlot, headSlot, scanOf, storageOf, tickSlot } from "./slots.ts";

/** Bitmap words that pools read together may have, so that no step keeps the thread busy for long. */
const WORDS_TOGETHER = 4_000;

/** The storage of the Core that holds all pools, at a block. */
interface CoreStorage extends ContractStorage {
  readonly core: Address;
}

/** A pool whose price is read and whose ticks are not yet. */
interface Head extends EkuboHead {
  readonly ref: PoolRef;
  readonly config: bigint;
}

/** Part of each pool that is read. */
export interface Reach {
  /** The words of the bitmap of a pool that has one. */
  readonly words: (tickSpacing: number, tick: number) => readonly number[];
  /** Whether what is read is a pool's state, so far as it tells. */
  readonly isSound: (state: EkuboState) => boolean;
}

export const WHOLE: Reach = { words: wordSpan, isSound: isConsistent };
/** Ticks around the price alone: they do not add up to all that a pool has. */
export const NEAR: Reach = { words: wordsAround, isSound: () => true };

/** The pools of a Core, and how far they are read. */
interface CorePools {
  readonly source: SourceId;
  readonly core: Address;
  readonly reach: Reach;
}

/** Price, liquidity and ticks at block `at`, of pools that are this Core's. One that does not add up is left out. */
export async function syncPools(
  { source, core, reach }: CorePools,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const storage = { ...storageOf(core, chain, at), core };
  const heads = await inSlices(refs, (slice) => readHeads(storage, slice));
  const pools: Pool[] = [];
  for (const group of inGroups(heads, (head) => wordsOf(head, reach).length, WORDS_TOGETHER)) {
    const spans = group.map((head) => wordsOf(head, reach));
    const ticks = await readTicks(storage, group, spans);
    for (const [index, head] of group.entries()) {
      const state = ticks && stateOf(head, ticks[index] as readonly Tick[]);
      if (state === undefined || !reach.isSound(state)) continue;
      pools.push({ id: head.ref.id, source, tokens: head.ref.tokens, curve: "ekubo", state });
    }
  }
  return pools;
}

async function readHeads(storage: ContractStorage, refs: readonly PoolRef[]): Promise<readonly Head[]> {
  const words = await readStorage(
    storage,
    refs.map(({ id }) => headSlot(id)),
  );
  return refs.flatMap((ref, index): readonly Head[] => {
    const word = words?.[index] ?? 0n;
    return word === 0n ? [] : [{ ref, config: BigInt(ref.terms.config as string), ...headOf(word) }];
  });
}

/** The words of a pool's bitmap that are read; none for a pool with one range. */
function wordsOf({ config, tick }: Head, reach: Reach): readonly number[] {
  const tickSpacing = tickSpacingOf(config);
  return tickSpacing === undefined ? [] : reach.words(tickSpacing, tick);
}

function stateOf({ config, sqrtRatio, tick, liquidity }: Head, ticks: readonly Tick[]): EkuboState {
  const head = { sqrtRatio, tick, liquidity };
  return tickSpacingOf(config) === undefined ? ofOneRange(config, head) : { ...head, config, ticks };
}

/** The ticks of each of some pools, which are read together; undefined when one of the calls failed. */
async function readTicks(
  storage: CoreStorage,
  heads: readonly Head[],
  spans: readonly (readonly number[])[],
): Promise<readonly (readonly Tick[])[] | undefined> {
  const { core, chain, at } = storage;
  const idOf = (pool: number) => heads[pool]!.ref.id;
  const ranges = spans.map((words, pool) => ({ ...scanOf(core, idOf(pool)), ...endsOf(words) }));
  const bitmaps = (await scanWords(chain, ranges, at)) ?? (await readBitmaps(storage, heads, spans));
  if (bitmaps === undefined) return undefined;
  const indices = heads.map(({ config }, pool) => initializedIn(bitmaps[pool]!, tickSpacingOf(config) ?? 1, firstOf));
  const infos = await readStorageOfEach(storage, indices, (pool, tick) => tickSlot(idOf(pool), tick));
  return infos?.map((words, pool) =>
    words.map((word, place) => ({
      index: indices[pool]![place]!,
      liquidityNet: BigInt.asIntN(128, word),
      liquidityGross: word >> 128n,
    })),
  );
}

/** The words of the bitmaps, slot by slot; undefined when one of the calls failed. */
async function readBitmaps(
  storage: ContractStorage,
  heads: readonly Head[],
  spans: readonly (readonly number[])[],
): Promise<readonly ReadonlyMap<number, bigint>[] | undefined> {
  const read = await readStorageOfEach(storage, spans, (pool, word) => bitmapSlot(heads[pool]!.ref.id, word));
  return read?.map((words, pool) => new Map(words.map((word, index) => [spans[pool]![index]!, word])));
}
