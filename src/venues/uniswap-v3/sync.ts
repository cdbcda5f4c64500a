import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { ConcentratedFamily } from "../../pools/concentrated/state.ts";
import { initializedIn } from "../../pools/concentrated/ticks.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inSlices } from "../reading/slices.ts";
import { endsOf, scanWords } from "../reading/word-scan.ts";
import { addressAt, tickAt, uintAt, wordOf } from "../reading/words.ts";
import { type ChainAt, groupsOf, type Head, type Reach, WHOLE, withTicks } from "./heads.ts";

const SLOT0 = toFunctionSelector("slot0()");
const LIQUIDITY = toFunctionSelector("liquidity()");
const TICK_SPACING = toFunctionSelector("tickSpacing()");
const TICK_BITMAP = toFunctionSelector("tickBitmap(int16)");
const FEE = toFunctionSelector("fee()");

/** Way to recognise whose contract a pool is. */
export interface FamilyTold {
  /** Call to the pool. */
  readonly ask: Hex;
  /** By its answer; undefined where it has none. */
  familyBy(answer: Hex | undefined): ConcentratedFamily | undefined;
}

/** Facts that pools of a factory have in common. */
export interface FactoryKind {
  /** By which of its terms, besides its tokens, the factory names a pool. */
  readonly getPool: Hex;
  readonly term: "fee" | "tickSpacing";
  /** Whether a pool that is named by its first fee may have another one now. */
  readonly feeChanges?: boolean;
  /** Family of their contracts. Absent: Uniswap's. */
  readonly family?: FamilyTold | undefined;
}

/** A factory, under the name of its source. */
export interface PoolFactory {
  readonly source: SourceId;
  readonly address: Address;
  readonly kind: FactoryKind;
  /** Part of its pools that is read: all of each by default. */
  readonly reach?: Reach;
}

export const BY_FEE: FactoryKind = { getPool: toFunctionSelector("getPool(address,address,uint24)"), term: "fee" };

/**
 * Price, liquidity, fee and all ticks at block `at`, of pools only that the factory itself names for their tokens and term.
 * Three rounds: heads, bitmap words, ticks. A pool that does not add up is left out.
 */
export async function syncPools(
  factory: PoolFactory,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Pool[]> {
  const heads = await inSlices(refs, (slice) => readHeads(factory, chain, slice, at));
  return withBitmapTicks(factory.source, { chain, at, reach: factory.reach }, heads, TICK_BITMAP);
}

/** The pools with all ticks that their bitmap has; `getter` answers with a word of it. */
export async function withBitmapTicks(
  source: SourceId,
  reading: ChainAt,
  heads: readonly Head[],
  getter: Hex,
): Promise<readonly Pool[]> {
  const pools: Pool[] = [];
  for (const group of groupsOf(heads, reading.reach)) {
    const indices = await readInitialized(reading, group, getter);
    pools.push(...(await withTicks(source, reading, group, indices)));
  }
  return pools;
}

async function readHeads(
  { address: factory, kind: { getPool, term, feeChanges, family: told } }: PoolFactory,
  chain: ChainReader,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly Head[]> {
  const calls = refs.map(({ address, tokens: [token0, token1], terms }): readonly Call[] => [
    {
      to: factory,
      data: `${getPool}${wordOf(BigInt(token0 as Address))}${wordOf(BigInt(token1 as Address))}${wordOf(Number(terms[term]))}`,
    },
    { to: address, data: SLOT0 },
    { to: address, data: LIQUIDITY },
    { to: address, data: TICK_SPACING },
    { to: address, data: FEE },
    ...(told === undefined ? [] : [{ to: address, data: told.ask }]),
  ]);
  const answers = await callGroups(chain, calls, at);
  return refs.flatMap((ref, index): Head[] => {
    const [named, slot0, active, spacing, paid, answer] = answers[index] ?? [];
    if (!named || !slot0 || !active || !spacing || !paid || addressAt(named, 0) !== ref.address) return [];
    const sqrtPriceX96 = uintAt(slot0, 0, 160);
    const tick = tickAt(slot0, 1);
    const liquidity = uintAt(active, 0, 128);
    const tickSpacing = tickAt(spacing, 0);
    if (sqrtPriceX96 === undefined || tick === undefined || liquidity === undefined) return [];
    if (tickSpacing === undefined || tickSpacing <= 0) return [];
    const fee = uintAt(paid, 0, 24);
    const feePpm = Number(fee);
    if (fee === undefined || fee >= 1_000_000n) return [];
    if (!feeChanges && { fee: feePpm, tickSpacing }[term] !== Number(ref.terms[term])) return [];
    const family = told?.familyBy(answer);
    const state = { sqrtPriceX96, tick, liquidity, feePpm, tickSpacing, ticks: [], ...(family && { family }) };
    if (family !== "slipstream") return [{ ref, state }];
    const observations = uintAt(slot0, 4, 16);
    return observations === undefined ? [] : [{ ref, state: { ...state, observations: Number(observations) } }];
  });
}

/** Indices of the initialized ticks of each pool, ascending; undefined where a word could not be read. */
async function readInitialized(
  { chain, at, reach = WHOLE }: ChainAt,
  heads: readonly Head[],
  getter: Hex,
): Promise<readonly (readonly number[] | undefined)[]> {
  const spans = heads.map(({ state }) => reach.words(state));
  const ranges = heads.map(({ ref }, index) => ({ to: ref.address, selector: getter, ...endsOf(spans[index]!) }));
  const scanned = await scanWords(chain, ranges, at);
  if (scanned !== undefined) return heads.map(({ state }, index) => initializedIn(scanned[index]!, state.tickSpacing));
  const calls = heads.map(({ ref }, index) =>
    (spans[index] as readonly number[]).map((word): Call => ({ to: ref.address, data: `${getter}${wordOf(word)}` })),
  );
  const answers = await callGroups(chain, calls, at);
  return heads.map(({ state }, index) => {
    return initializedTicks(spans[index] as readonly number[], answers[index] ?? [], state.tickSpacing);
  });
}

function initializedTicks(
  words: readonly number[],
  answers: readonly (Hex | undefined)[],
  tickSpacing: number,
): readonly number[] | undefined {
  const bitmaps = answers.map((answer) => (answer === undefined ? undefined : uintAt(answer, 0)));
  const read = bitmaps.filter((bitmap) => bitmap !== undefined);
  if (read.length < words.length) return undefined;
  return initializedIn(new Map(words.map((word, index) => [word, read[index]!])), tickSpacing);
}
