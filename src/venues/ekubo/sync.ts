import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Tick } from "../../pools/concentrated/state.ts";
import { type EkuboHead, isConsistent, ofOneRange } from "../../pools/ekubo/changes.ts";
import { tickSpacingOf } from "../../pools/ekubo/config.ts";
import type { EkuboState } from "../../pools/ekubo/state.ts";
import { initializedIn, wordSpan } from "../../pools/ekubo/ticks.ts";
import type { Pool } from "../../pools/pool.ts";
import { inGroups, inSlices } from "../reading/slices.ts";
import { type ContractStorage, readStorage, readStorageOfEach } from "../reading/storage.ts";
import { headOf } from "./events.ts";
import { bitmapSlot, headSlot, storageOf, tickSlot } from "./slots.ts";

/** Bitmap words that pools read together may have, so that no step keeps the thread busy for long. */
const WORDS_TOGETHER = 4_000;

/** A pool whose price is read and whose ticks are not yet. */
interface Head extends EkuboHead {
  readonly ref: PoolRef;
  readonly config: bigint;
}

/** Price, liquidity and all ticks at block `at`, of pools that are this Core's. One that does not add up is left out. */
export async function syncPools(
  { source, core }: { readonly source: SourceId; readonly core: Address },
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const storage = storageOf(core, chain, at);
  const heads = await inSlices(refs, (slice) => readHeads(storage, slice));
  const pools: Pool[] = [];
  for (const group of inGroups(heads, (head) => wordsOf(head).length, WORDS_TOGETHER)) {
    const ticks = await readTicks(storage, group);
    for (const [index, head] of group.entries()) {
      const state = ticks && stateOf(head, ticks[index] as readonly Tick[]);
      if (state === undefined || !isConsistent(state)) continue;
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

/** The words of a pool's bitmap; none for a pool with one range. */
function wordsOf({ config }: Head): readonly number[] {
  const tickSpacing = tickSpacingOf(config);
  return tickSpacing === undefined ? [] : wordSpan(tickSpacing);
}

function stateOf({ config, sqrtRatio, tick, liquidity }: Head, ticks: readonly Tick[]): EkuboState {
  const head = { sqrtRatio, tick, liquidity };
  return tickSpacingOf(config) === undefined ? ofOneRange(config, head) : { ...head, config, ticks };
}

/** The ticks of each of some pools, which are read together; undefined when one of the calls failed. */
async function readTicks(
  storage: ContractStorage,
  heads: readonly Head[],
): Promise<readonly (readonly Tick[])[] | undefined> {
  const idOf = (pool: number) => heads[pool]!.ref.id;
  const spans = heads.map(wordsOf);
  const bitmaps = await readStorageOfEach(storage, spans, (pool, word) => bitmapSlot(idOf(pool), word));
  if (bitmaps === undefined) return undefined;
  const indices = heads.map(({ config }, pool) =>
    initializedIn(spans[pool]!, bitmaps[pool]!, tickSpacingOf(config) ?? 1),
  );
  const infos = await readStorageOfEach(storage, indices, (pool, tick) => tickSlot(idOf(pool), tick));
  return infos?.map((words, pool) =>
    words.map((word, place) => ({
      index: indices[pool]![place]!,
      liquidityNet: BigInt.asIntN(128, word),
      liquidityGross: word >> 128n,
    })),
  );
}
