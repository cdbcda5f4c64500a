import { isOfTwo } from "../direction.ts";
import { linearCurve } from "../float/linear-curve.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { belowMinimum, NO_LIQUIDITY, PAUSED, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { BUFFER_GAS, SHORT_BUFFER_GAS } from "./gas.ts";
import { limitsOf } from "./limits.ts";
import type { BalancerV3BufferState } from "./state.ts";
import { costOf, paidFor, type Side, sideOf, traded } from "./trade.ts";

type Answer = PoolQuote<BalancerV3BufferState> | Rejection;

/**
 * `erc4626BufferWrapOrUnwrap` of Balancer V3's vault (Vault.sol): the rate of an ERC-4626 vault with OpenZeppelin's formula,
 * a unit or two worse, whatever the buffer holds. What it holds decides whether the ERC-4626 vault is called, and what a
 * trade leaves.
 */
export const balancerV3BufferMath: PoolMath<BalancerV3BufferState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (state.paused) return PAUSED;
    const { maxSell: most } = limitsOf(state, direction);
    if (sellAmount > most) return tooLarge(most);
    const side = sideOf(state, direction);
    const buyAmount = paidFor(side, sellAmount);
    return trade(side, true, sellAmount, buyAmount);
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.paused) return PAUSED;
    const { maxBuy: most } = limitsOf(state, direction);
    if (buyAmount > most) return tooLarge(most);
    const side = sideOf(state, direction);
    return trade(side, false, costOf(side, buyAmount), buyAmount);
  },

  spotPrice(state, direction) {
    if (limitsOf(state, direction).maxSell === 0n) return undefined;
    const { sold, bought } = sideOf(state, direction);
    return { num: bought, den: sold };
  },

  limits: limitsOf,

  curve(state, direction) {
    return linearCurve(rateOf(state, direction), limitsOf(state, direction).maxSell, leastGas(state, direction));
  },
};

function trade(side: Side, exactIn: boolean, sellAmount: bigint, buyAmount: bigint): Answer {
  const { minWrap } = side.state;
  if (sellAmount < minWrap) return belowMinimum("sold", minWrap);
  if (buyAmount < minWrap) return belowMinimum("bought", minWrap);
  if (buyAmount <= 0n) return TOO_SMALL;
  const after = traded(side, exactIn, sellAmount, buyAmount);
  if (after === undefined) return NO_LIQUIDITY;
  return {
    amount: exactIn ? buyAmount : sellAmount,
    gas: after.short ? SHORT_BUFFER_GAS : BUFFER_GAS,
    next: after.next,
  };
}

function rateOf(state: BalancerV3BufferState, direction: Direction): number {
  const { sold, bought } = sideOf(state, direction);
  return Number(bought) / Number(sold);
}

/** A buffer that holds nothing to speak of is short whatever is traded. */
function leastGas(state: BalancerV3BufferState, direction: Direction): bigint {
  const { heldOfBought } = sideOf(state, direction);
  return heldOfBought < state.minWrap || heldOfBought === 0n ? SHORT_BUFFER_GAS : BUFFER_GAS;
}
