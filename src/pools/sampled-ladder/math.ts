import { isOfTwo } from "../direction.ts";
import { capacityOf, ladderCurve, payoutFor } from "../levels/ladder.ts";
import type { Level } from "../levels/state.ts";
import type { Direction, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import type { SampledLadderState } from "./state.ts";

/**
 * A ladder between quotes of a contract whose own maths nobody knows: at most what it pays, as far as its curve is concave. Once
 * it was traded nothing is known of it any more, so that a route uses it once. It is not asked for exact outputs.
 */
export const sampledLadderMath: PoolMath<SampledLadderState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const levels = sideOf(state, direction);
    const most = capacityOf(levels).takerAmount;
    if (sellAmount > most) return tooLarge(most);
    const amount = payoutFor(levels, sellAmount);
    if (amount === 0n) return TOO_SMALL;
    return { amount, gas: state.swapGas, next: { ...state, bids: [], asks: [] } };
  },

  quoteExactOut: (_state, direction, buyAmount) => (isOfTwo(direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED),

  spotPrice(state, direction) {
    const best = isOfTwo(direction) ? sideOf(state, direction)[0] : undefined;
    return best && { num: best.makerAmount, den: best.takerAmount };
  },

  limits(state, direction) {
    if (!isOfTwo(direction)) return NO_LIMITS;
    const { takerAmount, makerAmount } = capacityOf(sideOf(state, direction));
    return { maxSell: takerAmount, maxBuy: makerAmount };
  },

  curve: (state, direction) => (isOfTwo(direction) ? ladderCurve(sideOf(state, direction), state.swapGas) : undefined),
};

function sideOf({ bids, asks }: SampledLadderState, { sell }: Direction): readonly Level[] {
  return sell === 0 ? bids : asks;
}
