import type { Direction, PoolLimits, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, UNSUPPORTED } from "../rejections.ts";
import { balanceAt } from "./balance.ts";
import { cryptoswapCurve } from "./curve.ts";
import { feeOf } from "./fee.ts";
import { cryptoswapGas } from "./gas.ts";
import { isRamping, type Moment, momentOf } from "./moment.ts";
import { geometricMean, invariantOf } from "./newton.ts";
import { spotOf } from "./spot.ts";
import type { CryptoswapState } from "./state.ts";
import { FEE_ONE, ONE } from "./terms.ts";

/**
 * Curve's pools of tokens of unlike value, as `exchange` computes it: CurveTwocryptoOptimized.vy (2.0, 2.1) and
 * CurveTricryptoOptimized.vy (2.0). They cannot be asked for an exact output, and are traded once per block at most: an
 * exchange may move the internal price, by averages of prices that the contract keeps to itself.
 */
export const cryptoswapMath: PoolMath<CryptoswapState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount, time) {
    if (!isOf(state, direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return moment;
    const most = maxSell(moment, direction);
    if (sellAmount > most) return { rejected: "TOO_LARGE", most };
    return exchanged(state, moment, direction, sellAmount, time);
  },

  quoteExactOut(state, direction, buyAmount) {
    return isOf(state, direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED;
  },

  spotPrice(state, direction, time) {
    if (!isOf(state, direction)) return undefined;
    const moment = momentOf(state, time);
    return "rejected" in moment ? undefined : spotOf(state, moment, direction);
  },

  limits(state, direction, time): PoolLimits {
    if (!isOf(state, direction)) return NO_LIMITS;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return NO_LIMITS;
    const most = maxSell(moment, direction);
    const quote = exchanged(state, moment, direction, most, time);
    return "rejected" in quote ? NO_LIMITS : { maxSell: most, maxBuy: quote.amount };
  },

  curve(state, direction, time) {
    if (!isOf(state, direction)) return undefined;
    const moment = momentOf(state, time);
    if ("rejected" in moment) return undefined;
    const most = maxSell(moment, direction);
    return most > 0n ? cryptoswapCurve(state, moment, direction, Number(most)) : undefined;
  },
};

function isOf({ balances }: CryptoswapState, { sell, buy }: Direction): boolean {
  return sell !== buy && balances[sell] !== undefined && balances[buy] !== undefined;
}

/** Base units of the sold token that bring neither its balance nor what is left of the other out of reach. */
function maxSell({ scaled, scales, amplification, d, least, most }: Moment, { sell, buy }: Direction): bigint {
  const emptied = scaled.map((balance, i) => (i === buy ? least : balance));
  const full = balanceAt(emptied, sell, d, amplification)?.y ?? most;
  const room = (full < most ? full : most) - (scaled[sell] as bigint);
  return room > 0n ? (room * ONE) / (scales[sell] as bigint) : 0n;
}

function exchanged(
  state: CryptoswapState,
  { scales, scaled, amplification, d }: Moment,
  { sell, buy }: Direction,
  sellAmount: bigint,
  time: bigint,
): PoolQuote<CryptoswapState> | Rejection {
  const { balances, precisions, priceScale } = state;
  const filled = balances.map((balance, i) => (i === sell ? balance + sellAmount : balance));
  const xp = scaled.map((balance, i) => (i === sell ? ((filled[i] as bigint) * (scales[i] as bigint)) / ONE : balance));
  const found = balanceAt(xp, buy, d, amplification);
  if (found === undefined) return NO_LIQUIDITY;
  let gross = (xp[buy] as bigint) - found.y - 1n;
  if (gross < 0n) return TOO_SMALL;
  xp[buy] = found.y;
  if (buy > 0) gross = (gross * ONE) / (priceScale[buy - 1] as bigint);
  gross /= precisions[buy] as bigint;
  const buyAmount = gross - (feeOf(state, xp) * gross) / FEE_ONE;
  if (buyAmount <= 0n) return TOO_SMALL;
  filled[buy] = (balances[buy] as bigint) - buyAmount;
  xp[buy] = ((filled[buy] as bigint) * (scales[buy] as bigint)) / ONE;
  const after = invariantOf(xp, amplification, found.k0);
  if (after === undefined) return NO_LIQUIDITY;
  const worth = (ONE * worthOf(after, priceScale)) / state.supply;
  // Too little a fee to cover what was rounded: the contract calls that a loss.
  if (worth <= state.virtualPrice && !isRamping(state, time - 1n)) return TOO_SMALL;
  const next: CryptoswapState = { ...state, balances: filled, d: after, virtualPrice: worth, traded: true };
  return { amount: buyAmount, gas: cryptoswapGas(balances.length), next };
}

/** What the shares stand for at an invariant: the geometric mean of balanced holdings (get_xcp). */
function worthOf(d: bigint, priceScale: readonly bigint[]): bigint {
  const count = BigInt(priceScale.length + 1);
  return geometricMean([d / count, ...priceScale.map((price) => (d * ONE) / (count * price))]);
}
