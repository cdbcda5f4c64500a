import { toFunctionSelector } from "viem";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { hasFees, isConsistent } from "../../pools/concentrated/changes.ts";
import type { ConcentratedState, Tick } from "../../pools/concentrated/state.ts";
import { WORD_TICKS, wordSpan } from "../../pools/concentrated/ticks.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
import { inGroups } from "../reading/slices.ts";
import { intAt, uintAt, wordOf } from "../reading/words.ts";

const TICKS = toFunctionSelector("ticks(int24)");

/** Bitmap words that pools read together may have, so that no step keeps the thread busy for long. */
const WORDS_TOGETHER = 4_000;

/** A pool whose head is read and whose ticks are not yet. */
export interface Head {
  readonly ref: PoolRef;
  readonly state: ConcentratedState;
}

/** The chain as it is at a block. */
export interface ChainAt {
  readonly chain: ChainReader;
  readonly at: BlockRef;
  /** All of each pool by default. */
  readonly reach?: Reach | undefined;
}

/** Part of each pool that is read. */
export interface Reach {
  /** The words of its bitmap. */
  readonly words: (state: ConcentratedState) => readonly number[];
  /** The pool with the ticks that they have; undefined when these are not known or it does not add up. */
  readonly pool: (source: SourceId, head: Head, ticks: readonly Tick[] | undefined) => Pool | undefined;
}

export const WHOLE: Reach = { words: wordsToRead, pool: wholePool };
/** Ticks in the word of the bitmap that the price is in, and its neighbours: they do not add up to all that a pool has. */
export const NEAR: Reach = {
  words: (state) => {
    const own = Math.floor(Math.floor(state.tick / state.tickSpacing) / WORD_TICKS);
    return wordsToRead(state).filter((word) => Math.abs(word - own) <= 1);
  },
  pool: (source, { ref, state }, ticks) => {
    if (ticks === undefined || !hasFees(state)) return undefined;
    return { id: ref.id, source, tokens: ref.tokens, curve: "concentrated", state: { ...state, ticks } };
  },
};

/** `heads` in order, cut where a group's bitmap words would become too many. */
export function groupsOf(heads: readonly Head[], reach = WHOLE): readonly (readonly Head[])[] {
  return inGroups(heads, ({ state }) => reach.words(state).length, WORDS_TOGETHER);
}

/** The words of the bitmap that may have ticks; none for a pool without a price, which cannot have positions. */
function wordsToRead({ sqrtPriceX96, tickSpacing }: ConcentratedState): readonly number[] {
  return sqrtPriceX96 === 0n ? [] : wordSpan(tickSpacing);
}

/** The pool with its ticks; undefined when they are not known or it does not add up. */
function wholePool(source: SourceId, { ref, state }: Head, ticks: readonly Tick[] | undefined): Pool | undefined {
  const whole = ticks && { ...state, ticks };
  if (whole === undefined || !isConsistent(whole)) return undefined;
  return { id: ref.id, source, tokens: ref.tokens, curve: "concentrated", state: whole };
}

/**
 * The pools with the ticks of these indices as `ticks` of each pool has them at `at`; those left out whose indices are not
 * known, of which a tick could not be read, or that do not add up.
 */
export async function withTicks(
  source: SourceId,
  { chain, at, reach = WHOLE }: ChainAt,
  heads: readonly Head[],
  indices: readonly (readonly number[] | undefined)[],
): Promise<readonly Pool[]> {
  const calls = heads.map(({ ref }, index) =>
    (indices[index] ?? []).map((tick): Call => ({ to: ref.address, data: `${TICKS}${wordOf(tick)}` })),
  );
  const answers = await callGroups(chain, calls, at);
  return heads.flatMap((head, index): readonly Pool[] => {
    const ticks = indices[index]?.flatMap((tick, i): readonly Tick[] => {
      const answer = answers[index]?.[i];
      const liquidityGross = answer === undefined ? undefined : uintAt(answer, 0, 128);
      const liquidityNet = answer === undefined ? undefined : intAt(answer, 1, 128);
      if (liquidityGross === undefined || liquidityNet === undefined) return [];
      return [{ index: tick, liquidityNet, liquidityGross }];
    });
    const pool = ticks?.length === indices[index]?.length ? reach.pool(source, head, ticks) : undefined;
    return pool === undefined ? [] : [pool];
  });
}
