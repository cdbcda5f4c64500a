import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from "../../math/tick-math.ts";
import type { ConcentratedState, Tick } from "./state.ts";
import { MOST_STEPS, standsAtLimit } from "./swap.ts";
import { countUpTo, WORD_TICKS, wordEdge } from "./ticks.ts";

/** A stretch of constant liquidity in floating point, with what was sold and bought before it. */
export interface Segment {
  readonly liquidity: number;
  /** Square root prices (token 1 per token 0) at its beginning and end; they fall when token 0 is sold. */
  readonly from: number;
  readonly to: number;
  readonly soldBefore: number;
  readonly boughtBefore: number;
  readonly soldAfter: number;
  /** Ticks that a swap crosses before it, the tick that it begins at, and the words of ticks read by then. */
  readonly ticksCrossed: number;
  readonly start: number;
  readonly wordsRead: number;
  /** Words of ticks that it lies in. */
  readonly words: number;
}

const Q96 = 2 ** 96;
const LOG_SQRT_1_0001 = Math.log(1.0001) / 2;
export const sqrtPriceAt = (tick: number) => Math.exp(tick * LOG_SQRT_1_0001);
const LOWEST = Number(MIN_SQRT_RATIO) / Q96;
const HIGHEST = Number(MAX_SQRT_RATIO) / Q96;

/** The stretches with liquidity ahead of the price, in the order in which a swap meets them; built as far as needed. */
export class ConcentratedPath {
  readonly segments: Segment[] = [];
  /** What is sold by the end of each segment, and its price there, negative where prices fall: both rise. */
  readonly soldAfter: number[] = [];
  readonly reached: number[] = [];
  private readonly state: ConcentratedState;
  private readonly zeroForOne: boolean;
  private readonly keep: number;
  private from: number;
  private liquidity: bigint;
  private soldBefore = 0;
  private boughtBefore = 0;
  private ended: boolean;
  /** The tick in `state.ticks` that the next segment ends at. */
  private at: number;
  /** The tick that the next segment begins at, and the steps of the swap that are left for it and those behind it. */
  private start: number;
  private stepsLeft = MOST_STEPS;
  private ticksCrossed = 0;
  private wordsRead = 1;

  constructor(state: ConcentratedState, zeroForOne: boolean, keep: number) {
    this.state = state;
    this.zeroForOne = zeroForOne;
    this.keep = keep;
    this.from = Number(state.sqrtPriceX96) / Q96;
    this.liquidity = state.liquidity;
    this.ended = this.from === 0 || standsAtLimit(state, zeroForOne);
    this.at = countUpTo(state.ticks, state.tick) - (zeroForOne ? 1 : 0);
    this.start = state.tick;
  }

  /** Builds one more segment; false when there is none. */
  extend(): boolean {
    const { state, zeroForOne } = this;
    while (!this.ended) {
      const { from, start, liquidity } = this;
      const tick: Tick | undefined = state.ticks[this.at];
      const first = wordEdge(start, state.tickSpacing, zeroForOne);
      const goal = tick?.index ?? (zeroForOne ? MIN_TICK : MAX_TICK);
      const last = wordEdge(zeroForOne ? goal : goal - 1, state.tickSpacing, zeroForOne);
      const word = WORD_TICKS * state.tickSpacing;
      const steps = state.byTicks ? 1 : 1 + Math.abs(last - first) / word;
      const reached = steps <= this.stepsLeft;
      const end = reached ? goal : first + (zeroForOne ? -word : word) * (this.stepsLeft - 1);
      const edge = tick === undefined ? (zeroForOne ? LOWEST : HIGHEST) : sqrtPriceAt(end);
      const to = zeroForOne ? Math.min(from, edge) : Math.max(from, edge);
      const built = liquidity > 0n && to !== from;
      if (built) this.push(Number(liquidity), from, to, Math.min(steps, this.stepsLeft));
      this.from = to;
      this.at += zeroForOne ? -1 : 1;
      this.start = zeroForOne ? goal - 1 : goal;
      this.stepsLeft -= steps;
      this.ticksCrossed++;
      this.wordsRead += steps;
      if (tick === undefined || this.stepsLeft <= 0) this.ended = true;
      else this.liquidity += zeroForOne ? -tick.liquidityNet : tick.liquidityNet;
      if (built) return true;
    }
    return false;
  }

  private push(liquidity: number, from: number, to: number, words: number): void {
    const { zeroForOne, soldBefore, boughtBefore, ticksCrossed, start, wordsRead } = this;
    const net = soldBetween(liquidity, from, to, zeroForOne);
    const soldAfter = soldBefore + net / this.keep;
    const read = { ticksCrossed, start, wordsRead, words };
    this.segments.push({ liquidity, from, to, soldBefore, boughtBefore, soldAfter, ...read });
    this.soldAfter.push(soldAfter);
    this.reached.push(zeroForOne ? -to : to);
    this.soldBefore = soldAfter;
    this.boughtBefore += zeroForOne ? net * from * to : net / (from * to);
  }
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

/** What moving the price costs without fee. */
export function soldBetween(liquidity: number, from: number, to: number, zeroForOne: boolean): number {
  return zeroForOne ? (liquidity * (from - to)) / (from * to) : liquidity * (to - from);
}

/** All that is sold, fee included, by the time the price is reached: in this segment, before it, or at its end. */
export function soldUpTo(segment: Segment, price: number, zeroForOne: boolean, keep: number): number {
  const { liquidity, from, to, soldBefore, soldAfter } = segment;
  if (zeroForOne ? price >= from : price <= from) return soldBefore;
  if (zeroForOne ? price <= to : price >= to) return soldAfter;
  return soldBefore + soldBetween(liquidity, from, price, zeroForOne) / keep;
}
