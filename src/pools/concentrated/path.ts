import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from "../../math/tick-math.ts";
import type { ConcentratedState, Tick } from "./state.ts";
import { MAX_STEPS, standsAtLimit } from "./swap.ts";
import { countUpTo, WORD_TICKS, wordEdge } from "./ticks.ts";

/**
 * Layout of a stretch of constant liquidity: the square roots of the marginal rates, fee included, at its begin and
 * end, and a, so that it sells a * (1 / x - 1 / begin) and buys a * (begin - x) until the root of the rate has
 * fallen to x; the amounts sold and bought before it, and sold by its end.
 */
export const [BEGIN, END, A, SOLD, BOUGHT, SOLD_AFTER] = [0, 1, 2, 3, 4, 5];
/** Numbers per stretch. */
export const STRIDE = 6;

/** Reader of a stretch's liquidity and bounds. */
interface Reading {
  /** Ticks that it crosses before the stretch, the tick that this begins at, and the words of ticks read by then. */
  readonly ticksCrossed: number;
  readonly start: number;
  readonly wordsRead: number;
  /** Words of ticks that the stretch lies in. */
  readonly words: number;
}

const Q96 = 2 ** 96;
const LOG_SQRT_1_0001 = Math.log(1.0001) / 2;
const sqrtPriceAt = (tick: number) => Math.exp(tick * LOG_SQRT_1_0001);
const LOWEST = Number(MIN_SQRT_RATIO) / Q96;
const HIGHEST = Number(MAX_SQRT_RATIO) / Q96;

/** The stretches with liquidity ahead of the price, in the order in which a swap meets them; built as far as needed. */
export class ConcentratedPath {
  /** Stretch after stretch, side by side: whoever looks something up reads one array. */
  readonly numbers: number[] = [];
  readonly readings: Reading[] = [];
  readonly #state: ConcentratedState;
  readonly #zeroForOne: boolean;
  /** The square root of what a fee leaves of an amount. */
  readonly #root: number;
  #from: number;
  #liquidity: bigint;
  #sold = 0;
  #bought = 0;
  #ended: boolean;
  /** The tick in `state.ticks` that the next stretch ends at. */
  #at: number;
  /** The tick that the next stretch begins at, and the steps of the swap that are left for it and those behind it. */
  #start: number;
  #stepsLeft = MAX_STEPS;
  #ticksCrossed = 0;
  #wordsRead = 1;

  constructor(state: ConcentratedState, zeroForOne: boolean, keep: number) {
    this.#state = state;
    this.#zeroForOne = zeroForOne;
    this.#root = Math.sqrt(keep);
    this.#from = Number(state.sqrtPriceX96) / Q96;
    this.#liquidity = state.liquidity;
    // A fee of all that goes in leaves no rate.
    this.#ended = keep === 0 || this.#from === 0 || standsAtLimit(state, zeroForOne);
    this.#at = countUpTo(state.ticks, state.tick) - (zeroForOne ? 1 : 0);
    this.#start = state.tick;
  }

  /** Builds one more stretch; false when there is none. */
  extend(): boolean {
    const state = this.#state;
    const zeroForOne = this.#zeroForOne;
    while (!this.#ended) {
      const from = this.#from;
      const start = this.#start;
      const liquidity = this.#liquidity;
      const tick: Tick | undefined = state.ticks[this.#at];
      const first = wordEdge(start, state.tickSpacing, zeroForOne);
      const goal = tick?.index ?? (zeroForOne ? MIN_TICK : MAX_TICK);
      const last = wordEdge(zeroForOne ? goal : goal - 1, state.tickSpacing, zeroForOne);
      const word = WORD_TICKS * state.tickSpacing;
      const steps = state.byTicks ? 1 : 1 + Math.abs(last - first) / word;
      const reached = steps <= this.#stepsLeft;
      const end = reached ? goal : first + (zeroForOne ? -word : word) * (this.#stepsLeft - 1);
      const edge = tick === undefined ? (zeroForOne ? LOWEST : HIGHEST) : sqrtPriceAt(end);
      const to = zeroForOne ? Math.min(from, edge) : Math.max(from, edge);
      const built = liquidity > 0n && to !== from;
      if (built) this.#push(Number(liquidity), from, to, Math.min(steps, this.#stepsLeft));
      this.#from = to;
      this.#at += zeroForOne ? -1 : 1;
      this.#start = zeroForOne ? goal - 1 : goal;
      this.#stepsLeft -= steps;
      this.#ticksCrossed++;
      this.#wordsRead += steps;
      if (tick === undefined || this.#stepsLeft <= 0) this.#ended = true;
      else this.#liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet;
      if (built) return true;
    }
    return false;
  }

  /** The root of the rate at a tick. */
  rootAt(tick: number): number {
    return this.#rootOf(sqrtPriceAt(tick));
  }

  /** Converts a square root price (token 1 per token 0), which falls if token 0 is sold. */
  #rootOf(price: number): number {
    return this.#zeroForOne ? this.#root * price : this.#root / price;
  }

  #push(liquidity: number, from: number, to: number, words: number): void {
    const [begin, end, a] = [this.#rootOf(from), this.#rootOf(to), liquidity / this.#root];
    const before = this.#sold;
    this.#sold += (a * (begin - end)) / (begin * end);
    this.numbers.push(begin, end, a, before, this.#bought, this.#sold);
    this.readings.push({ ticksCrossed: this.#ticksCrossed, start: this.#start, wordsRead: this.#wordsRead, words });
    this.#bought += a * (begin - end);
  }
}

/** Amount sold once the root of the rate is down to `root`: before, in or by the end of the stretch that begins at `at`. */
export function soldDownTo(numbers: readonly number[], at: number, root: number): number {
  const begin = numbers[at + BEGIN] as number;
  if (root >= begin) return numbers[at + SOLD] as number;
  if (root <= (numbers[at + END] as number)) return numbers[at + SOLD_AFTER] as number;
  return (numbers[at + SOLD] as number) + ((numbers[at + A] as number) * (begin - root)) / (begin * root);
}

/** The most liquidity of any stretch ahead of the price, whether a swap gets there in one go or not. */
export function mostLiquidityAhead({ ticks, tick, liquidity }: ConcentratedState, zeroForOne: boolean): number {
  let [most, here] = [liquidity, liquidity];
  const step = zeroForOne ? -1 : 1;
  for (let at = countUpTo(ticks, tick) - (zeroForOne ? 1 : 0); at >= 0 && at < ticks.length; at += step) {
    const { liquidityNet } = ticks[at] as Tick;
    here += zeroForOne ? -liquidityNet : liquidityNet;
    if (here > most) most = here;
  }
  return Number(most);
}
