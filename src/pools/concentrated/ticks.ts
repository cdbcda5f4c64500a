import { MAX_UINT128 } from "../../math/full-math.ts";
import { MAX_TICK, MIN_TICK } from "../../math/tick-math.ts";
import type { Tick } from "./state.ts";

/** Number of `ticks` (ascending) with an index of at most `index`: the position of the first one above it. */
export function countUpTo(ticks: readonly Tick[], index: number): number {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ticks[middle] as Tick).index <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first tick ahead at whose crossing liquidity is active, for a pool that has none at `from`; undefined where there is none. */
export function firstLiquidTick(ticks: readonly Tick[], from: number, downwards: boolean): number | undefined {
  let liquidity = 0n;
  for (let at = countUpTo(ticks, from) - (downwards ? 1 : 0); ; at += downwards ? -1 : 1) {
    const tick: Tick | undefined = ticks[at];
    if (tick === undefined) return undefined;
    liquidity += downwards ? -tick.liquidityNet : tick.liquidityNet;
    if (liquidity > 0n) return tick.index;
  }
}

/** Liquidity that is active at a tick by those below it; undefined where `ticks` are none of a contract's, from `lowest` to `highest`. */
export function activeBy(
  ticks: readonly Tick[],
  at: number,
  { lowest, highest, tickSpacing }: Readonly<Record<"lowest" | "highest" | "tickSpacing", number>>,
): bigint | undefined {
  let previous = lowest - 1;
  let [active, total] = [0n, 0n];
  for (const { index, liquidityGross, liquidityNet } of ticks) {
    if (index <= previous || index > highest || index % tickSpacing !== 0 || liquidityGross <= 0n) return undefined;
    if (liquidityNet > liquidityGross || -liquidityNet > liquidityGross) return undefined;
    total += liquidityNet;
    if (total < 0n) return undefined;
    if (index <= at) active = total;
    previous = index;
  }
  return total === 0n ? active : undefined;
}

/** Ticks in one word of the contract's bitmap. */
export const WORD_TICKS = 256;

/**
 * The furthest tick that the contract looks at in one step from `tick`: the edge of the bitmap word, initialized or not.
 * Source: TickBitmap.nextInitializedTickWithinOneWord. Downwards the word that holds `tick`, upwards that of the next.
 */
export function wordEdge(tick: number, tickSpacing: number, downwards: boolean): number {
  const compressed = Math.floor(tick / tickSpacing);
  const word = Math.floor((downwards ? compressed : compressed + 1) / WORD_TICKS);
  return (downwards ? word * WORD_TICKS : word * WORD_TICKS + WORD_TICKS - 1) * tickSpacing;
}

/** The words of the bitmap that can hold ticks. */
export function wordSpan(tickSpacing: number): readonly number[] {
  const first = Math.floor(Math.ceil(MIN_TICK / tickSpacing) / WORD_TICKS);
  const last = Math.floor(Math.floor(MAX_TICK / tickSpacing) / WORD_TICKS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * The initialized ticks in a bitmap's words, by number and ascending; words that are zero may be left out. `firstOf`: the first
 * tick of a word, in tick spacings.
 */
export function initializedIn(
  words: ReadonlyMap<number, bigint>,
  tickSpacing: number,
  firstOf = (word: number) => word * WORD_TICKS,
): readonly number[] {
  const indices: number[] = [];
  for (const [word, bitmap] of words) {
    for (let bit = 0, bits = bitmap; bits > 0n; bit++, bits >>= 1n) {
      if (bits & 1n) indices.push((firstOf(word) + bit) * tickSpacing);
    }
  }
  return indices;
}

/** The most liquidity that may begin or end at one tick. Source: Tick.tickSpacingToMaxLiquidityPerTick. */
export function maxLiquidityPerTick(tickSpacing: number): bigint {
  const ticks = 2 * Math.floor(MAX_TICK / tickSpacing) + 1;
  return MAX_UINT128 / BigInt(ticks);
}

/** `ticks` with a position's edge at `index` grown by the two amounts; undefined when no contract could be there. */
export function withEdge(
  ticks: readonly Tick[],
  index: number,
  gross: bigint,
  net: bigint,
  mostGross: bigint,
): readonly Tick[] | undefined {
  const at = countUpTo(ticks, index - 1);
  const found = ticks[at]?.index === index ? ticks[at] : undefined;
  const liquidityGross = (found?.liquidityGross ?? 0n) + gross;
  const liquidityNet = (found?.liquidityNet ?? 0n) + net;
  if (liquidityGross < 0n || liquidityGross > mostGross) return undefined;
  if (liquidityGross === 0n && liquidityNet !== 0n) return undefined;
  const after = found ? at + 1 : at;
  const edge = liquidityGross === 0n ? [] : [{ index, liquidityGross, liquidityNet }];
  return [...ticks.slice(0, at), ...edge, ...ticks.slice(after)];
}
