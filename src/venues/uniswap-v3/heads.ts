import { toFunctionSelector } from "viem";
import type { BlockRef } from "../../domain/block.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Call, ChainReader } from "../../market/chain-reader.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import { isConsistent } from "../../pools/concentrated/changes.ts";
import type { ConcentratedState, Tick } from "../../pools/concentrated/state.ts";
import { wordSpan } from "../../pools/concentrated/ticks.ts";
import type { Pool } from "../../pools/pool.ts";
import { callGroups } from "../reading/call-groups.ts";
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
}

/** `heads` in order, cut where a group's bitmap words would become too many. */
export function groupsOf(heads: readonly Head[]): readonly (readonly Head[])[] {
  const groups: Head[][] = [];
  let words = Number.POSITIVE_INFINITY;
  for (const head of heads) {
    const { length } = wordsToRead(head.state);
    if (words + length > WORDS_TOGETHER) {
      groups.push([]);
      words = 0;
    }
    groups[groups.length - 1]?.push(head);
    words += length;
  }
  return groups;
}

/** The words of the bitmap to read; none for a pool without a price, which cannot have positions. */
export function wordsToRead({ sqrtPriceX96, tickSpacing }: ConcentratedState): readonly number[] {
  return sqrtPriceX96 === 0n ? [] : wordSpan(tickSpacing);
}

/** The first and last of words that follow each other; a run without any ends before it begins. */
export function endsOf(words: readonly number[]): { readonly first: number; readonly last: number } {
  return { first: words[0] ?? 0, last: words.at(-1) ?? -1 };
}

/** The pool with its ticks; undefined when they are not known or it does not add up. */
export function wholePool(
  source: SourceId,
  { ref, state }: Head,
  ticks: readonly Tick[] | undefined,
): Pool | undefined {
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
  { chain, at }: ChainAt,
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
    const pool = ticks?.length === indices[index]?.length ? wholePool(source, head, ticks) : undefined;
    return pool === undefined ? [] : [pool];
  });
}
