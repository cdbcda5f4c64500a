import { concentratedGas } from "./gas.ts";
import { type ConcentratedPath, type Segment, soldUpTo, sqrtPriceAt } from "./path.ts";
import type { ConcentratedState } from "./state.ts";
import { WORD_TICKS, wordEdge } from "./ticks.ts";

/**
 * The stretches between ticks that are crossed and edges of words of ticks, over each of which gas stays the same: as in
 * PoolCurve, built as far as needed. A swap that ends right at such a place has not paid for it yet, or pays more.
 */
export class GasStretches {
  readonly #state: ConcentratedState;
  readonly #path: ConcentratedPath;
  readonly #zeroForOne: boolean;
  readonly #keep: number;
  readonly #stretches: number[] = [];
  #built = 0;

  constructor(state: ConcentratedState, path: ConcentratedPath, zeroForOne: boolean, keep: number) {
    this.#state = state;
    this.#path = path;
    this.#zeroForOne = zeroForOne;
    this.#keep = keep;
  }

  upTo(sellAmount: number): readonly number[] {
    const { segments } = this.#path;
    while (this.#built === 0 || (this.#stretches.at(-3) as number) < sellAmount) {
      if (this.#built === segments.length && !this.#path.extend()) break;
      this.#add(segments[this.#built++] as Segment);
    }
    return this.#stretches;
  }

  #add(segment: Segment): void {
    const state = this.#state;
    const zeroForOne = this.#zeroForOne;
    const { liquidity, from, to, boughtBefore, ticksCrossed, start, wordsRead, words } = segment;
    const first = wordEdge(start, state.tickSpacing, zeroForOne);
    const word = (zeroForOne ? -WORD_TICKS : WORD_TICKS) * state.tickSpacing;
    for (let i = 0; i < words; i++) {
      const edge = i === words - 1 ? to : sqrtPriceAt(first + i * word);
      const price = zeroForOne ? Math.min(from, Math.max(to, edge)) : Math.max(from, Math.min(to, edge));
      const bought =
        boughtBefore + (zeroForOne ? liquidity * (from - price) : (liquidity * (price - from)) / (from * price));
      const gas = Number(concentratedGas({ ticksCrossed, wordsRead: wordsRead + i, next: state }));
      this.#stretches.push(soldUpTo(segment, price, zeroForOne, this.#keep), bought, gas);
    }
  }
}
