import { gasOf } from "../levels/gas.ts";
import { costOf, ladderCurve, payoutFor } from "../levels/ladder.ts";
import type { LevelsState } from "../levels/state.ts";
import type { Direction, PoolMath, PoolQuote } from "../pool-math.ts";
import { belowMinimum, NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import type { SignedOrderState } from "./state.ts";

/**
 * A signed order as OrderSettlement fills it: floor(makerAmount * sold / takerAmount), once, and no less than its
 * minTakerAmount. Exact-out sells ceil(bought * takerAmount / makerAmount).
 */
export const signedOrderMath: PoolMath<SignedOrderState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOrderDirection(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (state.filled) return NO_LIQUIDITY;
    const { order } = state;
    if (sellAmount > order.takerAmount) return { rejected: "TOO_LARGE", most: order.takerAmount };
    const amount = payoutFor([order], sellAmount);
    if (sellAmount < order.minTakerAmount) return belowMinimum("sold", order.minTakerAmount);
    return amount === 0n ? TOO_SMALL : filled(state, amount);
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOrderDirection(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.filled) return NO_LIQUIDITY;
    const { order } = state;
    if (buyAmount > order.makerAmount) return { rejected: "TOO_LARGE", most: order.makerAmount };
    const amount = costOf([order], buyAmount);
    return amount < order.minTakerAmount ? belowMinimum("sold", order.minTakerAmount) : filled(state, amount);
  },

  spotPrice: (state, direction) => (isOrderDirection(direction) && !state.filled ? state.spot : undefined),

  limits: ({ order, filled }, direction) =>
    isOrderDirection(direction) && !filled ? { maxSell: order.takerAmount, maxBuy: order.makerAmount } : NO_LIMITS,

  curve: (state, direction) =>
    isOrderDirection(direction) && !state.filled ? ladderCurve([state.order], gasOf(settlesOf(state))) : undefined,
};

function isOrderDirection({ sell, buy }: Direction): boolean {
  return sell === 0 && buy === 1;
}

function filled(state: SignedOrderState, amount: bigint): PoolQuote<SignedOrderState> {
  return { amount, gas: gasOf(settlesOf(state)), next: { ...state, filled: true } };
}

function settlesOf({ call }: SignedOrderState): LevelsState["settles"] {
  return call === undefined ? undefined : "elsewhere";
}
