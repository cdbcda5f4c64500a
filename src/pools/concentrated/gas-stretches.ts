import {
  A,
  BEGIN,
  BOUGHT,
  type ConcentratedPath,
  END,
  type LiquidityState,
  type PriceScale,
  STRIDE,
  soldDownTo,
} from "./path.ts";
import { WORD_TICKS } from "./ticks.ts";

/**
 * The stretches between ticks that are crossed and edges of words of ticks, over each of which gas stays the same: as in
 * PoolCurve, built as far as needed. A swap that ends right at such a place has not paid for it yet, or pays more.
 */
export class GasStretches<S extends LiquidityState> {
  readonly #scale: PriceScale<S>;
  readonly #state: S;
  readonly #path: ConcentratedPath<S>;
  readonly #zeroForOne: boolean;
  readonly #stretches: number[] = [];
  #built = 0;

  constructor(scale: PriceScale<S>, state: S, path: ConcentratedPath<S>, zeroForOne: boolean) {
    this.#scale = scale;
    this.#state = state;
    this.#path = path;
    this.#zeroForOne = zeroForOne;
  }

  upTo(sellAmount: number): readonly number[] {
    while (this.#built === 0 || (this.#stretches.at(-3) as number) < sellAmount) {
      if (this.#built === this.#path.readings.length && !this.#path.extend()) break;
      this.#add(this.#built++);
    }
    return this.#stretches;
  }

  #add(stretch: number): void {
    const scale = this.#scale;
    const state = this.#state;
    const zeroForOne = this.#zeroForOne;
    const { numbers, readings } = this.#path;
    const { ticksCrossed, start, wordsRead, words } = readings[stretch] as (typeof readings)[number];
    const at = STRIDE * stretch;
    const [begin, end] = [numbers[at + BEGIN] as number, numbers[at + END] as number];
    // A pool without words has one stretch from tick to tick, which ends where it says.
    const spacing = scale.wordSpacing(state) ?? 1;
    const first = scale.wordEdge(start, spacing, zeroForOne);
    const word = (zeroForOne ? -WORD_TICKS : WORD_TICKS) * spacing;
    for (let i = 0; i < words; i++) {
      const edge = i === words - 1 ? end : this.#path.rootAt(first + i * word);
      const root = Math.min(begin, Math.max(end, edge));
      const bought = (numbers[at + BOUGHT] as number) + (numbers[at + A] as number) * (begin - root);
      const gas = scale.gas(state, ticksCrossed, wordsRead + i);
      this.#stretches.push(soldDownTo(numbers, at, root), bought, gas);
    }
  }
}
