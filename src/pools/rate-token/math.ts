import { MAX_UINT128 } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import { linearCurve } from "../float/linear-curve.ts";
import { MAX_TIMES_HELD } from "../float/most-asked.ts";
import type { Direction, PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { rateTokenGas } from "./gas.ts";
import type { RateTokenState } from "./state.ts";

/** No sum of either token above this is led to. */
const MOST = MAX_UINT128;

/**
 * Lido's wstETH (WstETH.sol: wrap, unwrap; StETH.sol: getSharesByPooledEth, getPooledEthByShares): a rate that does not
 * depend on the amount, rounded down either way. Shares are made of the amount that is named, before they are drawn. The contract cannot be asked for an exact output.
 */
export const rateTokenMath: PoolMath<RateTokenState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction) || !isOpen(state, direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const { maxSell: most } = limitsOf(state, direction);
    if (sellAmount > most) return tooLarge(most);
    const { num, den } = rateOf(state, direction);
    const amount = (sellAmount * num) / den;
    if (amount === 0n) return TOO_SMALL;
    const { supply, held } = state;
    const next =
      direction.sell === 0
        ? { ...state, supply: supply + amount, held: held + sellAmount }
        : { ...state, supply: supply - sellAmount, held: held - amount };
    return { amount, gas: rateTokenGas(direction), next };
  },

  quoteExactOut: (_state, direction, buyAmount) => (isOfTwo(direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED),

  spotPrice: (state, direction) =>
    isOfTwo(direction) && limitsOf(state, direction).maxSell > 0n ? rateOf(state, direction) : undefined,

  limits: limitsOf,

  curve(state, direction) {
    const { maxSell } = limitsOf(state, direction);
    const { num, den } = rateOf(state, direction);
    return linearCurve(Number(num) / Number(den), maxSell, rateTokenGas(direction));
  },
};

/** Whether what is bought can be told: not where it is shares. */
function isOpen({ keepsShares }: RateTokenState, { sell }: Direction): boolean {
  return sell === 0 || keepsShares !== true;
}

function rateOf({ pooled, shares }: RateTokenState, { sell }: Direction) {
  return sell === 0 ? { num: shares, den: pooled } : { num: pooled, den: shares };
}

/** Into the token a multiple of what is held, out of it no more than there are and than is held for them. */
function limitsOf(state: RateTokenState, direction: Direction): PoolLimits {
  const { pooled, shares, supply, held } = state;
  if (!isOfTwo(direction) || !isOpen(state, direction) || pooled === 0n || shares === 0n) return NO_LIMITS;
  if (direction.sell === 0) {
    const most = [MOST - held, ((MOST - supply) * pooled) / shares, MAX_TIMES_HELD * held];
    const maxSell = most.reduce((low, each) => (each < low ? each : low));
    if (maxSell <= 0n) return NO_LIMITS;
    return { maxSell, maxBuy: (maxSell * shares) / pooled };
  }
  // The most whose worth, rounded down, is still held.
  const covered = ((held + 1n) * shares - 1n) / pooled;
  const maxSell = covered < supply ? covered : supply;
  return { maxSell, maxBuy: (maxSell * pooled) / shares };
}
