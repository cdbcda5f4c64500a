import type { Tick } from "./state.ts";
import { MAX_STEPS } from "./swap.ts";
import { countUpTo, WORD_TICKS } from "./ticks.ts";

/** The part of a pool's state that its stretches are made of. */
export interface LiquidityState {
  readonly tick: number;
  /** Active liquidity. */
  readonly liquidity: bigint;
  /** All initialized ticks, ascending. */
  readonly ticks: readonly Tick[];
}

/** Ticks, prices and costs of pools with liquidity between ticks, as their float views count them. */
export interface PriceScale<S extends LiquidityState> {
  readonly minTick: number;
  readonly maxTick: number;
  /** Square root prices at both ends, token 1 per token 0. */
  readonly lowest: number;
  readonly highest: number;
  /** Natural logarithm of the square root price between two ticks. */
  readonly logSqrtBase: number;
  sqrtPrice(state: S): number;
  /** Part of the amount in that the fee leaves. */
  keep(state: S, zeroForOne: boolean): number;
  /** Part of the amount out that hooks leave. */
  give(state: S, zeroForOne: boolean): number;
  /** Whether no swap of this direction can move the price. */
  standsAtLimit(state: S, zeroForOne: boolean): boolean;
  /** Ticks from one that positions may end at to the next; undefined if the contract knows no words of a bitmap. */
  wordSpacing(state: S): number | undefined;
  /** The furthest tick that the contract looks at in one step. */
  wordEdge(tick: number, tickSpacing: number, downwards: boolean): number;
  gas(state: S, ticksCrossed: number, wordsRead: number): number;
}

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

/** The stretches with liquidity ahead of the price, in the order in which a swap meets them; built as far as needed. */
export class ConcentratedPath<S extends LiquidityState> {
  /** Stretch after stretch, side by side: whoever looks something up reads one array. */
  readonly numbers: number[] = [];
  readonly readings: Reading[] = [];
  readonly #scale: PriceScale<S>;
  readonly #state: S;
  readonly #zeroForOne: boolean;
  readonly #wordSpacing: number | undefined;
  /** The square root of what fees leave of an amount. */
  readonly #root: number;
  readonly #give: number;
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

  constructor(scale: PriceScale<S>, state: S, zeroForOne: boolean) {
    this.#scale = scale;
    this.#state = state;
    this.#zeroForOne = zeroForOne;
    this.#wordSpacing = scale.wordSpacing(state);
    this.#give = scale.give(state, zeroForOne);
    this.#root = Math.sqrt(scale.keep(state, zeroForOne) * this.#give);
    this.#from = scale.sqrtPrice(state);
    this.#liquidity = state.liquidity;
    // A fee of all that goes in leaves no rate.
    this.#ended = this.#root === 0 || this.#from === 0 || scale.standsAtLimit(state, zeroForOne);
    this.#at = countUpTo(state.ticks, state.tick) - (zeroForOne ? 1 : 0);
    this.#start = state.tick;
  }

  /** Builds one more stretch; false when there is none. */
  extend(): boolean {
    const scale = this.#scale;
    const state = this.#state;
    const zeroForOne = this.#zeroForOne;
    while (!this.#ended) {
      const from = this.#from;
      const start = this.#start;
      const liquidity = this.#liquidity;
      const tick: Tick | undefined = state.ticks[this.#at];
      const goal = tick?.index ?? (zeroForOne ? scale.minTick : scale.maxTick);
      const steps = this.#stepsTo(start, goal);
      const end = steps <= this.#stepsLeft ? goal : this.#lastEdge(start);
      const edge = tick === undefined ? (zeroForOne ? scale.lowest : scale.highest) : this.#sqrtPriceAt(end);
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
    return this.#rootOf(this.#sqrtPriceAt(tick));
  }

  #sqrtPriceAt(tick: number): number {
    return Math.exp(tick * this.#scale.logSqrtBase);
  }

  /** Steps of the contract's loop from one tick to another. */
  #stepsTo(start: number, goal: number): number {
    const spacing = this.#wordSpacing;
    if (spacing === undefined) return 1;
    const first = this.#scale.wordEdge(start, spacing, this.#zeroForOne);
    const last = this.#scale.wordEdge(this.#zeroForOne ? goal : goal - 1, spacing, this.#zeroForOne);
    return 1 + Math.abs(last - first) / (WORD_TICKS * spacing);
  }

  /** The tick at which the steps are used up. */
  #lastEdge(start: number): number {
    const spacing = this.#wordSpacing as number;
    const word = WORD_TICKS * (this.#zeroForOne ? -spacing : spacing);
    return this.#scale.wordEdge(start, spacing, this.#zeroForOne) + word * (this.#stepsLeft - 1);
  }

  /** Converts a square root price (token 1 per token 0), which falls if token 0 is sold. */
  #rootOf(price: number): number {
    return this.#zeroForOne ? this.#root * price : this.#root / price;
  }

  #push(liquidity: number, from: number, to: number, words: number): void {
    const [begin, end, a] = [this.#rootOf(from), this.#rootOf(to), (liquidity * this.#give) / this.#root];
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
export function mostLiquidityAhead({ ticks, tick, liquidity }: LiquidityState, zeroForOne: boolean): number {
  let [most, here] = [liquidity, liquidity];
  const step = zeroForOne ? -1 : 1;
  for (let at = countUpTo(ticks, tick) - (zeroForOne ? 1 : 0); at >= 0 && at < ticks.length; at += step) {
    const { liquidityNet } = ticks[at] as Tick;
    here += zeroForOne ? -liquidityNet : liquidityNet;
    if (here > most) most = here;
  }
  return Number(most);
}
