import { MAX_UINT256 } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import type { FixedRateState } from "./state.ts";

/** One to one: what goes in comes out (WETH9 deposit and withdraw). */
export const fixedRateMath: PoolMath<FixedRateState> = {
  quoteExactIn: convert,
  quoteExactOut: convert,
  spotPrice: (_state, direction) => (isOfTwo(direction) ? { num: 1n, den: 1n } : undefined),
  limits: (_state, direction) => {
    const most = isOfTwo(direction) ? MAX_UINT256 : 0n;
    return { maxSell: most, maxBuy: most };
  },
  curve: (state, direction) =>
    isOfTwo(direction)
      ? {
          marginalRate: () => 1,
          buyAmountFor: (sellAmount) => sellAmount,
          sellAmountAtRate: (rate) => (rate < 1 ? Number.POSITIVE_INFINITY : 0),
          maxSell: Number.POSITIVE_INFINITY,
          gas: Number(state.gas),
          concave: true,
        }
      : undefined,
};

function convert(state: FixedRateState, direction: Direction, amount: bigint): PoolQuote<FixedRateState> | Rejection {
  if (!isOfTwo(direction)) return UNSUPPORTED;
  if (amount <= 0n) return TOO_SMALL;
  if (amount > MAX_UINT256) return { rejected: "TOO_LARGE", most: MAX_UINT256 };
  return { amount, gas: state.gas, next: state };
}
