import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { maverickCurve } from "./curve.ts";
import { maverickGas } from "./gas.ts";
import { ONE, priced } from "./price.ts";
import type { MaverickState } from "./state.ts";
import { boughtFrom, MAX_MOVED, soldIn } from "./step.ts";
import { type SwapOutcome, swap, termsOf, ticksAhead } from "./swap.ts";

/**
 * Pools of Maverick V2: ticks of constant liquidity, whose bins move after a swap and never before one. What a swap pays does not
 * depend on time. Ticks that are not read, or that hold nothing, are the end of what is traded.
 */
export const maverickMath: PoolMath<MaverickState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const sellsA = direction.sell === 0;
    const [scaleIn, scaleOut] = scalesOf(state, sellsA);
    const amount = sellAmount * scaleIn;
    const outcome = amount > MAX_MOVED ? undefined : sale(state, sellsA, amount);
    if (!outcome?.filled) return tooLarge(limitsOf(state, sellsA).maxSell);
    const bought = outcome.amountOut / scaleOut;
    return bought === 0n ? TOO_SMALL : { amount: bought, gas: gasOf(outcome, false), next: outcome.next };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const sellsA = direction.sell === 0;
    const [scaleIn, scaleOut] = scalesOf(state, sellsA);
    const amount = buyAmount * scaleOut;
    const outcome =
      amount > MAX_MOVED ? undefined : swap(state, sellsA, amount, { trade: boughtFrom, counted: "amountOut" });
    if (!outcome?.filled) return tooLarge(limitsOf(state, sellsA).maxBuy);
    const mayBeBeyond = outcome.amountIn > MAX_MOVED / 2n;
    const most = mayBeBeyond ? limitsOf(state, sellsA).maxBuy : buyAmount;
    if (buyAmount > most) return tooLarge(most);
    const cost = (outcome.amountIn + scaleIn - 1n) / scaleIn;
    return { amount: cost, gas: gasOf(outcome, true), next: outcome.next };
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const sellsA = direction.sell === 0;
    const first = ticksAhead(state, sellsA).find(({ reserveA, reserveB }) => (sellsA ? reserveB : reserveA) > 0n);
    const met = first && priced(state.tickSpacing, first);
    if (met === undefined || limitsOf(state, sellsA).maxSell === 0n) return undefined;
    const [scaleIn, scaleOut] = scalesOf(state, sellsA);
    const [square, kept] = [met.sqrtPrice ** 2n, ONE - termsOf(state, sellsA).fee];
    return sellsA
      ? { num: kept * ONE * scaleIn, den: square * scaleOut }
      : { num: kept * square * scaleIn, den: ONE ** 3n * scaleOut };
  },

  limits: (state, direction) => (isOfTwo(direction) ? limitsOf(state, direction.sell === 0) : NO_LIMITS),

  curve: (state, direction) => (isOfTwo(direction) ? maverickCurve(state, direction.sell === 0) : undefined),
};

function sale(state: MaverickState, sellsA: boolean, amount: bigint): SwapOutcome {
  return swap(state, sellsA, amount, { trade: soldIn, counted: "amountIn" });
}

function limitsOf(state: MaverickState, sellsA: boolean): PoolLimits {
  const { amountIn, amountOut } = sale(state, sellsA, MAX_MOVED);
  const [scaleIn, scaleOut] = scalesOf(state, sellsA);
  const [maxSell, maxBuy] = [amountIn / scaleIn, amountOut / scaleOut];
  return maxSell === 0n || maxBuy === 0n ? NO_LIMITS : { maxSell, maxBuy };
}

function scalesOf({ scales: [a, b] }: MaverickState, sellsA: boolean): readonly [bigint, bigint] {
  return sellsA ? [a, b] : [b, a];
}

function gasOf({ ticks, emptyTicks, next }: SwapOutcome, exactOut: boolean): bigint {
  return maverickGas({ ticks, emptyTicks, exactOut, movable: next.movable === true });
}
