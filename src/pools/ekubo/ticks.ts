import { WORD_TICKS } from "../concentrated/ticks.ts";
import { MAX_TICK, MIN_TICK } from "./ratio.ts";

/** Bitmap of ticks in Core. Source: EkuboProtocol/evm-contracts v3.2.0, math/tickBitmap.sol. */

/** Place in the bitmap of the tick 0, whatever the tick spacing. */
const PLACE_OF_ZERO = 89_421_695;

/** The word of the bitmap that has a tick's bit; the tick is given in tick spacings. */
function wordOf(compressed: number): number {
  return Math.floor((compressed + PLACE_OF_ZERO) / WORD_TICKS);
}

/** The first tick of a word, in tick spacings. */
export function firstOf(word: number): number {
  return word * WORD_TICKS - PLACE_OF_ZERO;
}

/** The furthest tick that Core looks at in one step from `tick`, whether or not it is initialized or on the scale. */
export function ekuboWordEdge(tick: number, tickSpacing: number, downwards: boolean): number {
  const compressed = Math.floor(tick / tickSpacing);
  const first = firstOf(wordOf(downwards ? compressed : compressed + 1));
  return (downwards ? first : first + WORD_TICKS - 1) * tickSpacing;
}

/** The words of the bitmap that can hold ticks. */
export function wordSpan(tickSpacing: number): readonly number[] {
  const first = wordOf(Math.ceil(MIN_TICK / tickSpacing));
  const last = wordOf(Math.floor(MAX_TICK / tickSpacing));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Those of them that are around a price: the word that its tick is in, and its neighbours. */
export function wordsAround(tickSpacing: number, tick: number): readonly number[] {
  const own = wordOf(Math.floor(tick / tickSpacing));
  return wordSpan(tickSpacing).filter((word) => Math.abs(word - own) <= 1);
}
