import { complement, divDown, divUp, mulUp, ONE } from "../../math/fixed-point.ts";
import { divRoundingUp } from "../../math/full-math.ts";
import { MAX_TIMES_SOLD } from "../float/most-asked.ts";
import type { Direction, PoolLimits, PoolMath, Rejection } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, PAUSED, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { weightedCurve } from "./curve.ts";
import { inGivenOut, mostAtOnce, outGivenIn, powUp, type WeightedPair } from "./formula.ts";
import { WEIGHTED_EXACT_OUT_GAS, WEIGHTED_GAS } from "./gas.ts";
import { movingWeighted } from "./moving.ts";
import type { WeightedState } from "./state.ts";
import { mostEarnedTogether } from "./together.ts";

/** The vault counts balances in 112 bits; what is added to one here is at most nine times as much. */
const MAX_HELD = 1n << 108n;

/**
 * Balancer's weighted pools in its V2 vault, as `onSwap` of WeightedPool computes them (BaseMinimalSwapInfoPool.sol,
 * WeightedMath.sol): the contract rounds powers by their greatest error, so that exact-in and exact-out are not each
 * other's inverse.
 */
export const weightedMath: PoolMath<WeightedState> = {
  usesAddUp: () => true,
  mostEarnedTogether,
  moving(state) {
    if (state.paused) return undefined;
    const keeps = 1 - Number(state.swapFee) / 1e18;
    return movingWeighted(state, { keeps, leaves: 0, gas: Number(WEIGHTED_GAS) });
  },

  quoteExactIn(state, direction, sellAmount) {
    if (!isOf(state, direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const pair = pairOf(state, direction);
    if ("rejected" in pair) return pair;
    const most = maxSell(state, pair, direction);
    if (sellAmount > most) return tooLarge(most);
    const net = sellAmount - mulUp(sellAmount, state.swapFee);
    const scaled = outGivenIn(pair, net * scaleOf(state, direction.sell));
    const buyAmount = (scaled ?? 0n) / scaleOf(state, direction.buy);
    if (buyAmount === 0n) return TOO_SMALL;
    return { amount: buyAmount, gas: WEIGHTED_GAS, next: after(state, direction, sellAmount, buyAmount) };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOf(state, direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const pair = pairOf(state, direction);
    if ("rejected" in pair) return pair;
    const most = maxBuy(state, pair, direction);
    if (buyAmount > most) return tooLarge(most);
    const scaled = inGivenOut(pair, buyAmount * scaleOf(state, direction.buy));
    if (scaled === undefined) return NO_LIQUIDITY;
    const sellAmount = divUp(divRoundingUp(scaled, scaleOf(state, direction.sell)), complement(state.swapFee));
    return { amount: sellAmount, gas: WEIGHTED_EXACT_OUT_GAS, next: after(state, direction, sellAmount, buyAmount) };
  },

  spotPrice(state, direction) {
    if (!isOf(state, direction)) return undefined;
    const pair = pairOf(state, direction);
    if ("rejected" in pair) return undefined;
    const keep = complement(state.swapFee);
    return {
      num: pair.balanceOut * pair.weightIn * keep * scaleOf(state, direction.sell),
      den: pair.balanceIn * pair.weightOut * ONE * scaleOf(state, direction.buy),
    };
  },

  limits(state, direction): PoolLimits {
    const pair = isOf(state, direction) ? pairOf(state, direction) : NO_LIQUIDITY;
    if ("rejected" in pair) return NO_LIMITS;
    return { maxSell: maxSell(state, pair, direction), maxBuy: maxBuy(state, pair, direction) };
  },

  curve(state, direction) {
    if (!isOf(state, direction)) return undefined;
    const pair = pairOf(state, direction);
    if ("rejected" in pair) return undefined;
    const most = maxSell(state, pair, direction);
    if (most === 0n) return undefined;
    return weightedCurve(state, pair, direction, {
      maxSell: Number(most),
      maxBuy: Number(maxBuy(state, pair, direction)),
      gas: Number(WEIGHTED_GAS),
      gasToBuy: Number(WEIGHTED_EXACT_OUT_GAS),
    });
  },
};

function isOf({ balances }: WeightedState, { sell, buy }: Direction): boolean {
  return sell !== buy && balances[sell] !== undefined && balances[buy] !== undefined;
}

function scaleOf({ scales }: WeightedState, index: number): bigint {
  return scales[index] as bigint;
}

function pairOf(state: WeightedState, { sell, buy }: Direction): WeightedPair | Rejection {
  if (state.paused) return PAUSED;
  const [held, other] = [state.balances[sell] as bigint, state.balances[buy] as bigint];
  if (held === 0n || other === 0n || held > MAX_HELD || other > MAX_HELD) return NO_LIQUIDITY;
  return {
    balanceIn: held * scaleOf(state, sell),
    weightIn: state.weights[sell] as bigint,
    balanceOut: other * scaleOf(state, buy),
    weightOut: state.weights[buy] as bigint,
    ...(state.firstVersion && { firstVersion: true }),
  };
}

/** The largest exact-in swap of which, without the fee, no more is left than may come in at once. */
function maxSell(state: WeightedState, { balanceIn }: WeightedPair, { sell }: Direction): bigint {
  const net = mostAtOnce(balanceIn) / scaleOf(state, sell);
  return divRoundingUp((net + 1n) * ONE, complement(state.swapFee)) - 1n;
}

/** Most that may go out at once, or less if that would cost more than `MAX_TIMES_SOLD` times the pool's holdings. */
function maxBuy(state: WeightedState, pair: WeightedPair, { buy }: Direction): bigint {
  const atOnce = mostAtOnce(pair.balanceOut);
  const exponent = divDown(pair.weightIn, pair.weightOut);
  // Three tenths cost less than that: (1 + 4)^(1/4) is more than 1 / 0.7.
  if (exponent * 4n >= ONE) return atOnce / scaleOf(state, buy);
  const left = powUp(ONE / (MAX_TIMES_SOLD + 1n), exponent) ?? ONE;
  const sensible = (pair.balanceOut * complement(left)) / ONE;
  return (sensible < atOnce ? sensible : atOnce) / scaleOf(state, buy);
}

function after(state: WeightedState, { sell, buy }: Direction, sellAmount: bigint, buyAmount: bigint): WeightedState {
  const balances = state.balances.map((balance, i) =>
    i === sell ? balance + sellAmount : i === buy ? balance - buyAmount : balance,
  );
  return { ...state, balances };
}
