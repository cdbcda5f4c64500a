import type { Tick } from "../concentrated/state.ts";
import { MAX_STEPS } from "../concentrated/swap.ts";
import { countUpTo, WORD_TICKS } from "../concentrated/ticks.ts";
import { feeOf, tickSpacingOf } from "./config.ts";
import { MAX_RATIO, MAX_TICK, MIN_RATIO, MIN_TICK, ratioAtTick, tickAtRatio } from "./ratio.ts";
import type { EkuboState } from "./state.ts";
import { type EkuboPlace, ekuboStep } from "./step.ts";
import { ekuboWordEdge } from "./ticks.ts";

/** Result of a swap that was filled, reached the end of the scale, took MAX_STEPS, or met what Core cannot count. */
export interface EkuboOutcome {
  /** Amount in, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whether all of the amount asked for was taken in or given out. */
  readonly filled: boolean;
  readonly ticksCrossed: number;
  /** Looks into the bitmap: one for each step of Core's loop. */
  readonly wordsRead: number;
  readonly next: EkuboState;
  /** The last step over liquidity: where it began and was to end, and the amount in before it. Absent: there was none. */
  readonly lastStep?: LastStep;
}

interface LastStep extends EkuboPlace {
  readonly target: bigint;
  readonly amountInBefore: bigint;
}

/** Whether the price stands at the end of the scale that a swap goes towards: Core makes none then. */
export function standsAtEnd({ sqrtRatio }: EkuboState, zeroForOne: boolean): boolean {
  return zeroForOne ? sqrtRatio <= MIN_RATIO : sqrtRatio >= MAX_RATIO;
}

/**
 * A swap as Core makes it up to the end of the scale, without skipping words of the bitmap. It steps to the next initialized
 * tick or the edge of a word, whichever comes first, and rounds in every step. Where no liquidity is active steps change
 * nothing but the price, and are taken at once.
 */
export function ekuboSwap(state: EkuboState, zeroForOne: boolean, exactIn: boolean, amount: bigint): EkuboOutcome {
  const { ticks, config } = state;
  const limit = zeroForOne ? MIN_RATIO : MAX_RATIO;
  const end = zeroForOne ? MIN_TICK : MAX_TICK;
  const tickSpacing = tickSpacingOf(config);
  const terms = { zeroForOne, exactIn, fee: feeOf(config) };
  let { sqrtRatio, tick, liquidity } = state;
  let ahead = countUpTo(ticks, tick) - (zeroForOne ? 1 : 0);
  let lastStep: LastStep | undefined;
  let [amountIn, amountOut, ticksCrossed, wordsRead, remaining] = [0n, 0n, 0, 0, amount];

  while (remaining > 0n && sqrtRatio !== limit && wordsRead < MAX_STEPS) {
    const initialized: Tick | undefined = ticks[ahead];
    wordsRead++;
    let edge = tickSpacing === undefined ? end : ekuboWordEdge(tick, tickSpacing, zeroForOne);
    if (tickSpacing !== undefined && liquidity === 0n) {
      const goal = initialized?.index ?? end;
      const last = ekuboWordEdge(zeroForOne ? goal : goal - 1, tickSpacing, zeroForOne);
      wordsRead += Math.abs(last - edge) / (WORD_TICKS * tickSpacing);
      if (wordsRead > MAX_STEPS) break;
      edge = last;
    }
    const meets = initialized !== undefined && (zeroForOne ? initialized.index >= edge : initialized.index <= edge);
    const tickNext = meets ? initialized.index : Math.min(MAX_TICK, Math.max(MIN_TICK, edge));
    const target = ratioAtTick(tickNext);
    const start = sqrtRatio;
    if (liquidity === 0n) {
      sqrtRatio = target;
    } else {
      const step = ekuboStep({ sqrtRatio, liquidity }, target, remaining, terms);
      if (step === undefined) break;
      lastStep = { sqrtRatio, target, liquidity, amountInBefore: amountIn };
      sqrtRatio = step.sqrtRatio;
      amountIn += step.amountIn;
      amountOut += step.amountOut;
      remaining -= exactIn ? step.amountIn : step.amountOut;
    }
    if (sqrtRatio === target) {
      if (meets) {
        liquidity += zeroForOne ? -initialized.liquidityNet : initialized.liquidityNet;
        ahead += zeroForOne ? -1 : 1;
        ticksCrossed++;
      }
      tick = zeroForOne ? tickNext - 1 : tickNext;
    } else if (sqrtRatio !== start) {
      tick = tickAtRatio(sqrtRatio);
    }
  }
  const next = { ...state, sqrtRatio, tick, liquidity };
  const filled = remaining === 0n;
  return { amountIn, amountOut, filled, ticksCrossed, wordsRead, next, ...(lastStep && { lastStep }) };
}
