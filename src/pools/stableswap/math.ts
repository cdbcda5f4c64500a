import { MAX_TIMES_ALL } from "../float/most-asked.ts";
import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { stableswapCurve } from "./curve.ts";
import { FEE_ONE, feeFor, feeGrows } from "./fee.ts";
import { stableswapGas } from "./gas.ts";
import { balanceFor, invariantOf, PRECISION, scaledBalances } from "./invariant.ts";
import { mostWithinCheck, passesCheck } from "./price-check.ts";
import { coinForShares, sharesForCoin } from "./share.ts";
import { shareCurve } from "./share-curve.ts";
import { shareSpot, spotOf } from "./spot.ts";
import type { StableswapState } from "./state.ts";
import { type StableswapAt, stateAt } from "./state-at.ts";

/**
 * Part of the bought token that an exact-in swap leaves. A fee that grows with the distance from the peg outgrows the price of
 * the last few tokens: beyond this part, more sold would buy less.
 */
const MIN_LEFT = 50n;
/** Scaled: the last digits of an invariant are those of its rounding, and do not tell so little from nothing. */
const MIN_CHANGE = 10n ** 6n;

/**
 * Curve's stableswap pools, as `exchange` of their contracts computes it (not `get_dy`, which rounds elsewhere in the
 * oldest): StableSwap3Pool.vy, SwapTemplateBase.vy, CurveStableSwapNG.vy. Amplification moves with time. The pool's own
 * share is the token behind its coins: bought by adding one coin, sold by removing one. The contracts cannot be asked for
 * an exact output. A pool with a check of its price takes no more than passes it.
 */
export const stableswapMath: PoolMath<StableswapState> = mathAtTime({
  tokenCount: ({ balances, totalSupply = 0n }) => balances.length + (totalSupply > 0n ? 1 : 0),
  stateAt,
  maxSell,
  soldExactly: traded,
  spotOf: (current, direction) => {
    const supply = supplyFor(current, direction);
    return supply === undefined ? spotOf(current, direction) : shareSpot(current, supply, direction);
  },
  curveOf: (current, direction, most) => {
    const supply = supplyFor(current, direction);
    return supply === undefined
      ? stableswapCurve(current, direction, most)
      : shareCurve(current, Number(supply), direction, most);
  },
});

/** The shares that there are where one side is the pool's own share; undefined between two coins. */
function supplyFor({ state }: StableswapAt, { sell, buy }: Direction): bigint | undefined {
  const { balances, totalSupply } = state;
  return sell === balances.length || buy === balances.length ? totalSupply : undefined;
}

function traded(
  current: StableswapAt,
  { sell, buy }: Direction,
  sellAmount: bigint,
): PoolQuote<StableswapState> | Rejection {
  const { balances, rates, totalSupply = 0n } = current.state;
  if (buy === balances.length) {
    if (sellAmount * (rates[sell] as bigint) < MIN_CHANGE * PRECISION) return TOO_SMALL;
    return sharesForCoin(current, totalSupply, sell, sellAmount);
  }
  if (sell === balances.length) {
    if (sellAmount * current.d < MIN_CHANGE * totalSupply) return TOO_SMALL;
    return coinForShares(current, totalSupply, buy, sellAmount);
  }
  return exchanged(current, { sell, buy }, sellAmount);
}

/** Base units of the sold token; an exact-in swap that large moves the price out of all sense, and is not worth its risk. */
function maxSell(current: StableswapAt, direction: Direction): bigint {
  const { state, scaled } = current;
  if (direction.sell === scaled.length) return mostShares(current, direction.buy);
  const had = scaled[direction.sell] as bigint;
  const sum = scaled.reduce((a, b) => a + b, 0n);
  let most = MAX_TIMES_ALL * sum;
  if (feeGrows(state) && direction.buy !== scaled.length) {
    const left = (scaled[direction.buy] as bigint) / MIN_LEFT;
    const { sell, buy } = direction;
    const least = balanceFor(scaled.with(buy, left), sell, current.d, current.amplification, state) ?? had;
    if (least < most) most = least;
  }
  if (most <= had) return 0n;
  const room = most - had;
  const within = BigInt(Math.floor(mostWithinCheck(current, direction.sell, Number(room))));
  return ((within < room ? within : room) * PRECISION) / (state.rates[direction.sell] as bigint);
}

/** Shares are not sold for more than what leaves this part of the bought coin. */
function mostShares({ state, scaled, amplification, d }: StableswapAt, coin: number): bigint {
  const few = scaled.with(coin, (scaled[coin] as bigint) / MIN_LEFT);
  const left = invariantOf(few, amplification, state);
  return left === undefined || left >= d ? 0n : ((state.totalSupply ?? 0n) * (d - left)) / d;
}

function exchanged(
  { state, scaled, amplification, d }: StableswapAt,
  { sell, buy }: Direction,
  sellAmount: bigint,
): PoolQuote<StableswapState> | Rejection {
  const [had, has] = [scaled[sell] as bigint, scaled[buy] as bigint];
  const rate = state.rates[buy] as bigint;
  const x = had + (sellAmount * (state.rates[sell] as bigint)) / PRECISION;
  const y = balanceFor(scaled.with(sell, x), buy, d, amplification, state);
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
  const next = { ...state, balances };
  if (passesAfter(next, amplification)) return { amount: buyAmount, gas: stableswapGas(state), next };
  // From out of bounds only a sale that is large enough leads back.
  return passesAfter(state, amplification) ? NO_LIQUIDITY : TOO_SMALL;
}

/** Whether a pool's check lets it come into a state. */
function passesAfter(state: StableswapState, amplification: bigint): boolean {
  if (state.priceCheck === undefined) return true;
  const scaled = scaledBalances(state);
  const d = scaled.every((balance) => balance > 0n) ? invariantOf(scaled, amplification, state) : undefined;
  return d !== undefined && passesCheck({ state, scaled, amplification, d });
}
