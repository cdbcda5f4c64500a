import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { binsCurve } from "./curve.ts";
import { isFlat, keptOf, WHOLE } from "./fee.ts";
import { binsGas } from "./gas.ts";
import type { BinsState } from "./state.ts";
import { type SwapOutcome, stopsAt, swap, swapExactOut } from "./swap.ts";

const SCALE = 1n << 128n;

/**
 * Pools of Liquidity Book 2.1 and 2.2 (LBPair.sol) and of PancakeSwap Infinity (BinPool.sol): a constant sum within each bin. In
 * the first the fee goes by how far the price has moved lately. It is exact at the time that is asked for; at a later one it may
 * be lower or higher, since then it counts from another bin. An exact output there costs what the pair itself says (getSwapIn).
 * Where a base unit sold is worth several bought, a swap of that brings more than most amounts: those are not sold exactly. A
 * pool of Infinity takes exact outputs as such.
 */
export const binsMath: PoolMath<BinsState> = {
  quoteExactIn(state, direction, sellAmount, time) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const outcome = outcomeOf(state, direction.sell === 0, sellAmount, time);
    if (outcome === undefined) return NO_LIQUIDITY;
    if (!outcome.filled) return tooLarge(outcome.amountIn);
    if (outcome.amountOut === 0n) return TOO_SMALL;
    return { amount: outcome.amountOut, gas: binsGas(outcome.bins, false, state), next: outcome.next };
  },

  quoteExactOut(state, direction, buyAmount, time) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const xForY = direction.sell === 0;
    const stops = stopsAt(state, xForY, time);
    if (stops === undefined) return NO_LIQUIDITY;
    const bought = swapExactOut(state, xForY, buyAmount, stops);
    const cost = bought.amountIn;
    if (!bought.filled) return tooLarge(bought.amountOut);
    const outcome = isFlat(state.fee) ? bought : outcomeOf(state, xForY, cost, time);
    if (outcome?.amountOut !== buyAmount) return UNSUPPORTED;
    return { amount: cost, gas: binsGas(outcome.bins, true, state), next: outcome.next };
  },

  spotPrice(state, direction, time) {
    if (!isOfTwo(direction)) return undefined;
    const xForY = direction.sell === 0;
    for (const { price, fee } of stopsAt(state, xForY, time)?.stops ?? []) {
      const kept = keptOf(fee);
      return xForY ? { num: price * kept, den: SCALE * WHOLE } : { num: SCALE * kept, den: price * WHOLE };
    }
    return undefined;
  },

  limits(state, direction, time): PoolLimits {
    if (!isOfTwo(direction)) return NO_LIMITS;
    let [maxSell, maxBuy] = [0n, 0n];
    for (const { mostIn, mostOut } of stopsAt(state, direction.sell === 0, time)?.stops ?? []) {
      maxSell += mostIn;
      maxBuy += mostOut;
    }
    return { maxSell, maxBuy };
  },

  curve: (state, direction, time) => (isOfTwo(direction) ? binsCurve(state, direction.sell === 0, time) : undefined),
};

function outcomeOf(state: BinsState, xForY: boolean, amount: bigint, time: bigint): SwapOutcome | undefined {
  const stops = stopsAt(state, xForY, time);
  return stops && swap(state, xForY, amount, stops);
}
