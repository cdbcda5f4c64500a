import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { isConsistent } from "../../pools/concentrated/changes.ts";
import type { ConcentratedState, Tick } from "../../pools/concentrated/state.ts";
import { initializedIn } from "../../pools/concentrated/ticks.ts";
import type { PoolKey } from "../../pools/curve/pool-key.ts";
import type { Pool } from "../../pools/pool.ts";
import { inSlices } from "../reading/slices.ts";
import { type ContractStorage, readStorage, readStorageOfEach } from "../reading/storage.ts";
import { endsOf, scanWords } from "../reading/word-scan.ts";
import { groupsOf, type Head, type Reach, WHOLE } from "../uniswap-v3/heads.ts";
import { DYNAMIC_FEE, hasNoSwapHooks, poolIdOf, tokenOf, type V4Key } from "./pool-key.ts";
import { POOLS_SLOT, type PoolSlots, readSlots, scanOf, slot0Of, slotsOf, wordsOf } from "./slots.ts";

/** A contract that keeps pools as the PoolManager of Uniswap V4 does. */
export interface Singleton {
  readonly source: SourceId;
  readonly manager: Address;
  /** Storage slot of the mapping of its pools. */
  readonly poolsSlot: bigint;
  /** Whether a reference is of a pool of its own that is served. */
  isSound(ref: PoolRef): boolean;
  /** Part of a pool's state that its key tells. */
  termsOf(ref: PoolRef): Pick<ConcentratedState, "tickSpacing" | "family"> & { readonly key: PoolKey };
}

/** The storage of the manager that holds all pools, at a block. */
interface ManagerStorage extends ContractStorage {
  readonly manager: Address;
  readonly poolsSlot: bigint;
  readonly reach: Reach;
}

/** The amounts of a swap are counted in 128 bits with a sign. */
const MAX_MOVED = (1n << 127n) - 1n;

/**
 * Price, liquidity, fees and all ticks at block `at`, of pools that are the singleton's own. A pool that has no price yet, or
 * does not add up, is left out.
 */
export async function syncPools(
  singleton: Singleton & { readonly reach?: Reach },
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const { manager, poolsSlot, source, reach = WHOLE } = singleton;
  const storage = { ...storageOf(manager, chain, at), manager, poolsSlot, reach };
  const sound = refs.filter((ref) => singleton.isSound(ref));
  const heads = await inSlices(sound, (slice) => readHeads(singleton, storage, slice));
  const pools: Pool[] = [];
  for (const group of groupsOf(heads, reach)) {
    const ticks = await readTicks(storage, group);
    pools.push(...group.flatMap((head, index) => reach.pool(source, head, ticks?.[index]) ?? []));
  }
  return pools.map(withControllers);
}

/** A fee in the hooks' hands may rise between a quote and its transaction. */
function withControllers(pool: Pool): Pool {
  if (pool.curve !== "concentrated" || pool.state.key?.fee !== DYNAMIC_FEE) return pool;
  return { ...pool, controllers: [pool.state.key.hooks] };
}

/** Whether hooks set a pool's fee. */
export function isDynamic(pool: Pool): boolean {
  return pool.curve === "concentrated" && pool.state.key?.fee === DYNAMIC_FEE;
}

/** The pools whose hooks set the fee, with the fee as it is at `at`; all others as they are. */
export async function refreshFees(
  manager: Address,
  chain: ChainReader,
  pools: readonly Pool[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const dynamic = pools.filter(isDynamic);
  const words = await readStorage(
    storageOf(manager, chain, at),
    dynamic.map(({ id }) => slotsOf(id, POOLS_SLOT).slot0),
  );
  const read = new Map(dynamic.map(({ id }, index) => [id, words?.[index]]));
  return pools.flatMap((pool): Pool[] => {
    if (pool.curve !== "concentrated" || !isDynamic(pool)) return [pool];
    const word = read.get(pool.id);
    if (word === undefined) return [];
    const { feePpm } = slot0Of(word);
    if (feePpm === pool.state.feePpm) return [pool];
    const state = { ...pool.state, feePpm };
    return isConsistent(state) ? [{ ...pool, state }] : [];
  });
}

/** Uniswap V4's PoolManager. */
export function poolManager(source: SourceId, manager: Address): Singleton {
  return {
    ...{ source, manager, poolsSlot: POOLS_SLOT },
    isSound: (ref) => isOwnKey(manager, ref) && hasNoSwapHooks(keyOf(ref).hooks),
    termsOf(ref) {
      const { fee, tickSpacing, hooks } = keyOf(ref);
      return { tickSpacing, key: { fee, hooks } };
    },
  };
}

/** Whether a reference is of a pool of this manager's, by the key that its terms tell of. */
export function isOwnKey(manager: Address, ref: PoolRef): boolean {
  const key = keyOf(ref);
  return (
    ref.address === manager && ref.id === poolIdOf(key) && ref.tokens.join() === key.currencies.map(tokenOf).join()
  );
}

/** The key that a reference's terms tell of. */
function keyOf({ terms }: PoolRef): V4Key {
  return {
    currencies: [terms.currency0 as Address, terms.currency1 as Address],
    fee: Number(terms.fee),
    tickSpacing: Number(terms.tickSpacing),
    hooks: terms.hooks as Address,
  };
}

/** Storage of a manager, which answers as the PoolManager does. */
export function storageOf(manager: Address, chain: ChainReader, at: BlockRef): ContractStorage {
  return { chain, at, callOf: (slots) => readSlots(manager, slots), wordsOf };
}

async function readHeads(
  { termsOf }: Singleton,
  storage: ManagerStorage,
  refs: readonly PoolRef[],
): Promise<readonly Head[]> {
  const slots = refs.flatMap(({ id }) => {
    const { slot0, liquidity } = slotsOf(id, storage.poolsSlot);
    return [slot0, liquidity];
  });
  const words = await readStorage(storage, slots);
  if (words === undefined) return [];
  return refs.flatMap((ref, index) => {
    const slot0 = slot0Of(words[2 * index] as bigint);
    const liquidity = BigInt.asUintN(128, words[2 * index + 1] as bigint);
    if (slot0.sqrtPriceX96 === 0n) return [];
    const terms = termsOf(ref);
    if (terms.key.fee !== DYNAMIC_FEE && terms.key.fee !== slot0.feePpm) return [];
    const state = { ...slot0, ...terms, liquidity, ticks: [], mostMoved: MAX_MOVED };
    return [{ ref, state }];
  });
}

/** The ticks of each of some pools, which are read together; undefined when one of the calls failed. */
async function readTicks(
  storage: ManagerStorage,
  heads: readonly Head[],
): Promise<readonly (readonly Tick[])[] | undefined> {
  const slots = heads.map(({ ref }) => slotsOf(ref.id, storage.poolsSlot));
  const { manager, chain, at, reach } = storage;
  const spans = heads.map(({ state }) => reach.words(state));
  const ranges = slots.map(({ bitmaps }, pool) => ({ ...scanOf(manager, bitmaps), ...endsOf(spans[pool]!) }));
  const bitmaps = (await scanWords(chain, ranges, at)) ?? (await readBitmaps(storage, slots, spans));
  if (bitmaps === undefined) return undefined;
  const indices = heads.map(({ state }, pool) => initializedIn(bitmaps[pool]!, state.tickSpacing));
  const infos = await readStorageOfEach(storage, indices, (pool, tick) => slots[pool]!.tick(tick));
  return infos?.map((words, pool) =>
    words.map((word, place) => ({
      index: indices[pool]![place]!,
      liquidityNet: BigInt.asIntN(128, word >> 128n),
      liquidityGross: BigInt.asUintN(128, word),
    })),
  );
}

/** All words of the bitmaps, slot by slot; undefined when one of the calls failed. */
async function readBitmaps(
  storage: ManagerStorage,
  slots: readonly PoolSlots[],
  spans: readonly (readonly number[])[],
): Promise<readonly ReadonlyMap<number, bigint>[] | undefined> {
  const read = await readStorageOfEach(storage, spans, (pool, word) => slots[pool]!.bitmap(word));
  return read?.map((words, pool) => new Map(words.map((word, index) => [spans[pool]![index]!, word])));
}
