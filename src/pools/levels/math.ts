import { isOfTwo } from "../direction.ts";
import type { Direction, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { gasOf } from "./gas.ts";
import { capacityOf, costOf, ladderCurve, payoutFor, remainderOf } from "./ladder.ts";
import type { Level, LevelsState } from "./state.ts";

/** A maker's price levels: piecewise linear, and as much as all levels together at most. What is taken is gone. */
export const levelsMath: PoolMath<LevelsState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const levels = sideOf(state, direction);
    const most = capacityOf(levels).takerAmount;
    if (sellAmount > most) return tooLarge(most);
    const amount = payoutFor(levels, sellAmount);
    if (amount === 0n) return TOO_SMALL;
    return { amount, gas: gasOf(state.settles), next: taken(state, direction, sellAmount, amount) };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const levels = sideOf(state, direction);
    const most = capacityOf(levels).makerAmount;
    if (buyAmount > most) return tooLarge(most);
    const amount = costOf(levels, buyAmount);
    return { amount, gas: gasOf(state.settles), next: taken(state, direction, amount, payoutFor(levels, amount)) };
  },

  spotPrice(state, direction) {
    const best = isOfTwo(direction) ? sideOf(state, direction)[0] : undefined;
    return best && { num: best.makerAmount, den: best.takerAmount };
  },

  limits(state, direction) {
    if (!isOfTwo(direction)) return NO_LIMITS;
    const { takerAmount, makerAmount } = capacityOf(sideOf(state, direction));
    return { maxSell: takerAmount, maxBuy: makerAmount };
  },

  curve: (state, direction) =>
    isOfTwo(direction) ? ladderCurve(sideOf(state, direction), gasOf(state.settles)) : undefined,
};

function sideOf(state: LevelsState, { sell }: Direction): readonly Level[] {
  return sell === 0 ? state.bids : state.asks;
}

function taken(state: LevelsState, { sell }: Direction, sold: bigint, paid: bigint): LevelsState {
  return sell === 0
    ? { ...state, bids: remainderOf(state.bids, sold, paid) }
    : { ...state, asks: remainderOf(state.asks, sold, paid) };
}
