import { swapStep } from "../../math/swap-step.ts";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from "../../math/tick-math.ts";
import { swapFeePpm } from "./fee.ts";
import { lastPassed, notePassed, type SwapState } from "./passed.ts";
import type { ConcentratedState, Tick } from "./state.ts";
import { countUpTo, WORD_TICKS, wordEdge } from "./ticks.ts";

/**
 * Most steps of one swap. A swap over more than that costs at least 3.8 million gas (gas.ts) and is refused: nobody sends
 * one, and at a tick spacing of 1 there would be thousands of them up to the end of the scale.
 */
export const MAX_STEPS = 512;

/** Result of a swap that was filled, reached its price limit, or took MAX_STEPS. */
export interface SwapOutcome {
  /** Amount in, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Whether all of the amount asked for was taken in or given out. */
  readonly filled: boolean;
  readonly ticksCrossed: number;
  /** Looks into the bitmap: one for each step of the contract's loop. */
  readonly wordsRead: number;
  readonly next: ConcentratedState;
}

/** The last price before the end of the scale: the limit that routers give. */
function limitOf(zeroForOne: boolean): bigint {
  return zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n;
}

/** Whether the price stands at the limit of a swap or beyond it already: the contract refuses one then. */
export function standsAtLimit({ sqrtPriceX96 }: ConcentratedState, zeroForOne: boolean): boolean {
  return zeroForOne ? sqrtPriceX96 <= limitOf(true) : sqrtPriceX96 >= limitOf(false);
}

/**
 * A swap as UniswapV3Pool.swap runs it, with the price limit that routers give. The contract takes one step up to the next
 * initialized tick or to the edge of the bitmap word, whichever comes first, and rounds in every step; so do we. Where no
 * liquidity is active steps change nothing but the price, and are taken at once.
 */
export function swap(state: ConcentratedState, zeroForOne: boolean, exactIn: boolean, amount: bigint): SwapOutcome {
  const { ticks, tickSpacing } = state;
  const limit = limitOf(zeroForOne);
  const feePpm = BigInt(swapFeePpm(state, zeroForOne));
  const begin: SwapState = lastPassed(state, zeroForOne, exactIn, amount) ?? {
    ...{ sqrtPriceX96: state.sqrtPriceX96, tick: state.tick, liquidity: state.liquidity },
    ahead: zeroForOne ? countUpTo(ticks, state.tick) - 1 : countUpTo(ticks, state.tick),
    ...{ amountIn: 0n, amountOut: 0n, ticksCrossed: 0, wordsRead: 0 },
  };
  let { sqrtPriceX96, tick, liquidity, ahead, amountIn, amountOut, ticksCrossed, wordsRead } = begin;
  let remaining = amount - (exactIn ? amountIn : amountOut);

  while (remaining > 0n && (zeroForOne ? sqrtPriceX96 > limit : sqrtPriceX96 < limit) && wordsRead < MAX_STEPS) {
    const initialized: Tick | undefined = ticks[ahead];
    let edge = wordEdge(tick, tickSpacing, zeroForOne);
    wordsRead++;
    if (state.byTicks) edge = zeroForOne ? MIN_TICK : MAX_TICK;
    else if (liquidity === 0n) {
      const goal = initialized?.index ?? (zeroForOne ? MIN_TICK : MAX_TICK);
      const last = wordEdge(zeroForOne ? goal : goal - 1, tickSpacing, zeroForOne);
      wordsRead += Math.abs(last - edge) / (WORD_TICKS * tickSpacing);
      if (wordsRead > MAX_STEPS) break;
      edge = last;
    }
    const meets = initialized !== undefined && (zeroForOne ? initialized.index >= edge : initialized.index <= edge);
    const tickNext = meets ? initialized.index : Math.min(MAX_TICK, Math.max(MIN_TICK, edge));
    const priceNext = sqrtRatioAtTick(tickNext);
    const target = (zeroForOne ? priceNext < limit : priceNext > limit) ? limit : priceNext;

    const start = sqrtPriceX96;
    const step = swapStep(sqrtPriceX96, target, liquidity, remaining, feePpm, exactIn);
    const stepIn = step.amountIn + step.feeAmount;
    sqrtPriceX96 = step.sqrtPrice;
    amountIn += stepIn;
    amountOut += step.amountOut;
    remaining -= exactIn ? stepIn : step.amountOut;

    if (sqrtPriceX96 === priceNext) {
      if (meets) {
        liquidity += zeroForOne ? -initialized.liquidityNet : initialized.liquidityNet;
        ahead += zeroForOne ? -1 : 1;
        ticksCrossed++;
      }
      tick = zeroForOne ? tickNext - 1 : tickNext;
    } else if (sqrtPriceX96 !== start) {
      tick = tickAtSqrtRatio(sqrtPriceX96);
    }
    if (remaining > 0n && sqrtPriceX96 === target) {
      const place = { sqrtPriceX96, tick, liquidity, ahead, amountIn, amountOut, ticksCrossed, wordsRead };
      notePassed(state, zeroForOne, place);
    }
  }

  return {
    amountIn,
    amountOut,
    filled: remaining === 0n,
    ticksCrossed,
    wordsRead,
    next: { ...state, sqrtPriceX96, tick, liquidity },
  };
}
