import type { Direction, PoolLimits, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import { stableswapCurve } from "./curve.ts";
import { FEE_ONE, feeFor, feeGrows } from "./fee.ts";
import { stableswapGas } from "./gas.ts";
import { balanceAt, invariantOf, PRECISION } from "./invariant.ts";
import { type Moment, momentOf } from "./moment.ts";
import { coinForShares, sharesForCoin } from "./share.ts";
import { shareCurve } from "./share-curve.ts";
import { shareSpot, spotOf } from "./spot.ts";
import type { StableswapState } from "./state.ts";

/** No sale is taken that makes a token's balance larger than this multiple of all balances together. */
const MOST_TIMES_ALL = 8n;
/**
 * Where the fee grows with the distance from the peg it outgrows the price of the last few tokens, and more sold would buy
 * less: a sale ends where this part of the bought token is left.
 */
const LEAST_LEFT = 50n;
/** Scaled: the last digits of an invariant are those of its rounding, and do not tell so little from nothing. */
const LEAST_CHANGE = 10n ** 6n;

/**
 * Curve's stableswap pools, as `exchange` of their contracts computes it (not `get_dy`, which rounds elsewhere in the
 * oldest): StableSwap3Pool.vy, SwapTemplateBase.vy, CurveStableSwapNG.vy. Amplification moves with time. The pool's own
 * share is the token behind its coins: bought by adding one coin, sold by removing one. The contracts cannot be asked for
 * an exact output.
 */
export const stableswapMath: PoolMath<StableswapState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount, time) {
    if (!isOf(state, direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return moment;
    const most = maxSell(state, moment, direction);
    if (sellAmount > most) return { rejected: "TOO_LARGE", most };
    return traded(state, moment, direction, sellAmount);
  },

  quoteExactOut(state, direction, buyAmount) {
    return isOf(state, direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED;
  },

  spotPrice(state, direction, time) {
    if (!isOf(state, direction)) return undefined;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return undefined;
    const { totalSupply } = state;
    return totalSupply !== undefined && isOfShare(state, direction)
      ? shareSpot(state, totalSupply, moment, direction)
      : spotOf(state, moment, direction);
  },

  limits(state, direction, time): PoolLimits {
    if (!isOf(state, direction)) return NO_LIMITS;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return NO_LIMITS;
    const most = maxSell(state, moment, direction);
    const quote = traded(state, moment, direction, most);
    return "rejected" in quote ? NO_LIMITS : { maxSell: most, maxBuy: quote.amount };
  },

  curve(state, direction, time) {
    if (!isOf(state, direction)) return undefined;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return undefined;
    const most = Number(maxSell(state, moment, direction));
    const { totalSupply } = state;
    return totalSupply !== undefined && isOfShare(state, direction)
      ? shareCurve(state, Number(totalSupply), moment, direction, most)
      : stableswapCurve(state, moment, direction, most);
  },
};

/** Whether these are two of the pool's coins, or one of them and its share. */
function isOf({ balances, totalSupply }: StableswapState, { sell, buy }: Direction): boolean {
  const tokens = totalSupply === undefined || totalSupply <= 0n ? balances.length : balances.length + 1;
  const isOne = (index: number) => Number.isInteger(index) && index >= 0 && index < tokens;
  return sell !== buy && isOne(sell) && isOne(buy);
}

function isOfShare({ balances }: StableswapState, { sell, buy }: Direction): boolean {
  return sell === balances.length || buy === balances.length;
}

function traded(
  state: StableswapState,
  moment: Moment,
  { sell, buy }: Direction,
  sellAmount: bigint,
): PoolQuote<StableswapState> | Rejection {
  const { balances, rates, totalSupply = 0n } = state;
  if (buy === balances.length) {
    if (sellAmount * (rates[sell] as bigint) < LEAST_CHANGE * PRECISION) return TOO_SMALL;
    return sharesForCoin(state, totalSupply, moment, sell, sellAmount);
  }
  if (sell === balances.length) {
    if (sellAmount * moment.d < LEAST_CHANGE * totalSupply) return TOO_SMALL;
    return coinForShares(state, totalSupply, moment, buy, sellAmount);
  }
  return exchanged(state, moment, { sell, buy }, sellAmount);
}

/** Base units of the sold token; a sale that large moves the price out of all sense, and is not worth its risk. */
function maxSell(state: StableswapState, moment: Moment, direction: Direction): bigint {
  const { scaled } = moment;
  if (direction.sell === scaled.length) return mostShares(state, moment, direction.buy);
  const had = scaled[direction.sell] as bigint;
  const sum = scaled.reduce((a, b) => a + b, 0n);
  let most = MOST_TIMES_ALL * sum;
  if (feeGrows(state) && direction.buy !== scaled.length) {
    const left = (scaled[direction.buy] as bigint) / LEAST_LEFT;
    const { sell, buy } = direction;
    const least = balanceAt(scaled, buy, sell, left, moment.d, moment.amplification, state) ?? had;
    if (least < most) most = least;
  }
  return most > had ? ((most - had) * PRECISION) / (state.rates[direction.sell] as bigint) : 0n;
}

/** Shares are not sold for more than what leaves this part of the bought coin. */
function mostShares(state: StableswapState, { scaled, amplification, d }: Moment, coin: number): bigint {
  const few = scaled.with(coin, (scaled[coin] as bigint) / LEAST_LEFT);
  const left = invariantOf(few, amplification, state);
  return left === undefined || left >= d ? 0n : ((state.totalSupply ?? 0n) * (d - left)) / d;
}

function exchanged(
  state: StableswapState,
  { scaled, amplification, d }: Moment,
  { sell, buy }: Direction,
  sellAmount: bigint,
): PoolQuote<StableswapState> | Rejection {
  const [had, has] = [scaled[sell] as bigint, scaled[buy] as bigint];
  const rate = state.rates[buy] as bigint;
  const x = had + (sellAmount * (state.rates[sell] as bigint)) / PRECISION;
  const y = balanceAt(scaled, sell, buy, x, d, amplification, state);
  if (y === undefined) return NO_LIQUIDITY;
  const gross = has - y - 1n;
  if (gross < 0n) return TOO_SMALL;
  const fee = (gross * feeFor(state, (had + x) / 2n, (has + y) / 2n)) / FEE_ONE;
  const buyAmount = ((gross - fee) * PRECISION) / rate;
  if (buyAmount === 0n) return TOO_SMALL;
  const adminFee = (((fee * state.adminFee) / FEE_ONE) * PRECISION) / rate;
  const left = (state.balances[buy] as bigint) - buyAmount - adminFee;
  if (left < 0n) return NO_LIQUIDITY;
  const balances = state.balances.map((balance, i) => (i === sell ? balance + sellAmount : i === buy ? left : balance));
  return { amount: buyAmount, gas: stableswapGas(balances.length), next: { ...state, balances } };
}
