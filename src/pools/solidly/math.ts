import { divRoundingUp } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import { hyperbolaCurve } from "../float/hyperbola-curve.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, PAUSED, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { stableCurve } from "./curve.ts";
import { solidlyGas } from "./gas.ts";
import { observedAt } from "./observation.ts";
import { invariantOfUnits, reserveAt, scaled } from "./stable.ts";
import type { SolidlyState } from "./state.ts";

const BPS = 10_000n;

/** No product of two reserves below this is too large for the contract, nor a sum of them over time. */
const MAX_VOLATILE = (1n << 112n) - 1n;
/** In 10^-18 of a token: below this no step of the stable curve's arithmetic is too large for the contract. */
const MAX_STABLE = 1n << 92n;
/** In 10^-18 of a token: a stable pool that holds less has too few digits left to be counted on. */
const MIN_STABLE = 10n ** 12n;
/** A stable pool is asked for no trade that takes its sold reserve above this multiple of both. */
const MAX_TIMES_BOTH = 8n;

/** One direction of a pool. */
interface Side {
  readonly sold: bigint;
  readonly bought: bigint;
  readonly soldUnit: bigint;
  readonly boughtUnit: bigint;
}

/**
 * Pools of Solidly's kinds as Velodrome V2 has them (Pool.sol): getAmountOut for exact-in, and the pool's own check of
 * k after it. Exact-out is for volatile pools, where the smallest payment has a closed form.
 */
export const solidlyMath: PoolMath<SolidlyState> = {
  servesExactOut: (state) => !state.stable,

  quoteExactIn(state, direction, sellAmount, time) {
    const side = sideOf(state, direction);
    if (side === undefined) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const closed = closedFor(state, side);
    if (closed !== undefined) return closed;
    const most = maxSell(state, side);
    if (sellAmount > most) return tooLarge(most);
    const net = afterFee(state, sellAmount);
    const buyAmount = state.stable ? stableOut(state, side, net) : (net * side.bought) / (side.sold + net);
    if (buyAmount === undefined || buyAmount >= side.bought) return NO_LIQUIDITY;
    if (buyAmount === 0n) return TOO_SMALL;
    return traded(state, direction, net, buyAmount, buyAmount, time) ?? NO_LIQUIDITY;
  },

  quoteExactOut(state, direction, buyAmount, time) {
    const side = sideOf(state, direction);
    if (side === undefined) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.stable) return UNSUPPORTED;
    const closed = closedFor(state, side);
    if (closed !== undefined) return closed;
    const most = maxBuy(state, side);
    if (buyAmount > most) return tooLarge(most);
    const sellAmount = amountIn(state, side, buyAmount);
    return traded(state, direction, afterFee(state, sellAmount), buyAmount, sellAmount, time) ?? NO_LIQUIDITY;
  },

  spotPrice(state, direction) {
    const side = sideOf(state, direction);
    if (side === undefined || closedFor(state, side) !== undefined) return undefined;
    const keep = BPS - state.feeBps;
    if (!state.stable) return { num: side.bought * keep, den: side.sold * BPS };
    const x = side.sold * side.boughtUnit;
    const y = side.bought * side.soldUnit;
    return {
      num: (3n * x * x * y + y * y * y) * keep * side.boughtUnit,
      den: (x * x * x + 3n * x * y * y) * BPS * side.soldUnit,
    };
  },

  limits(state, direction): PoolLimits {
    const side = sideOf(state, direction);
    if (side === undefined || closedFor(state, side) !== undefined) return NO_LIMITS;
    return { maxSell: maxSell(state, side), maxBuy: maxBuy(state, side) };
  },

  curve(state, direction, time) {
    const side = sideOf(state, direction);
    if (side === undefined || closedFor(state, side) !== undefined) return undefined;
    const most = maxSell(state, side);
    if (most === 0n) return undefined;
    const floats = {
      sold: Number(side.sold),
      bought: Number(side.bought),
      keep: Number(BPS - state.feeBps) / Number(BPS),
      maxSell: Number(most),
    };
    const gas = Number(solidlyGas(state, time));
    return state.stable
      ? stableCurve(floats, Number(side.soldUnit), Number(side.boughtUnit), gas)
      : hyperbolaCurve(floats, gas);
  },
};

function sideOf({ reserves, units }: SolidlyState, direction: Direction): Side | undefined {
  if (!isOfTwo(direction)) return undefined;
  const [sold, bought] = direction.sell === 0 ? reserves : [reserves[1], reserves[0]];
  const [soldUnit, boughtUnit] = direction.sell === 0 ? units : [units[1], units[0]];
  return { sold, bought, soldUnit, boughtUnit };
}

/** Why a pool serves nobody at all in its present state. */
function closedFor(state: SolidlyState, { sold, bought, soldUnit, boughtUnit }: Side): Rejection | undefined {
  if (state.paused) return PAUSED;
  if (sold === 0n || bought === 0n) return NO_LIQUIDITY;
  if (!state.stable) return sold > MAX_VOLATILE || bought > MAX_VOLATILE ? NO_LIQUIDITY : undefined;
  const x = scaled(sold, soldUnit);
  const y = scaled(bought, boughtUnit);
  const least = x < y ? x : y;
  const most = x < y ? y : x;
  return least < MIN_STABLE || most > MAX_STABLE ? NO_LIQUIDITY : undefined;
}

/** Remainder of a payment after the fee, which the pool rounds down. */
function afterFee({ feeBps }: SolidlyState, sellAmount: bigint): bigint {
  return sellAmount - (sellAmount * feeBps) / BPS;
}

function stableOut(state: SolidlyState, side: Side, net: bigint): bigint | undefined {
  const before = scaled(side.bought, side.boughtUnit);
  const k = invariantOfUnits(state.reserves, state.units);
  const after = reserveAt(scaled(net, side.soldUnit) + scaled(side.sold, side.soldUnit), k, before, state.units);
  return after === undefined || after > before ? undefined : ((before - after) * side.boughtUnit) / 10n ** 18n;
}

/** Volatile pools: the least that buys this, below the reserve. */
function amountIn({ feeBps }: SolidlyState, { sold, bought }: Side, buyAmount: bigint): bigint {
  const net = divRoundingUp(buyAmount * sold, bought - buyAmount);
  return ((net - 1n) * BPS) / (BPS - feeBps) + 1n;
}

function maxSell({ stable }: SolidlyState, { sold, bought, soldUnit, boughtUnit }: Side): bigint {
  if (!stable) return MAX_VOLATILE - sold;
  const both = MAX_TIMES_BOTH * (scaled(sold, soldUnit) + scaled(bought, boughtUnit));
  const most = ((both < MAX_STABLE ? both : MAX_STABLE) * soldUnit) / 10n ** 18n;
  return most > sold ? most - sold : 0n;
}

function maxBuy(state: SolidlyState, side: Side): bigint {
  const most = maxSell(state, side);
  if (most === 0n) return 0n;
  const net = afterFee(state, most);
  if (state.stable) return stableOut(state, side, net) ?? 0n;
  const buyAmount = (net * side.bought) / (side.sold + net);
  return buyAmount > 0n && amountIn(state, side, buyAmount) > most ? buyAmount - 1n : buyAmount;
}

/** The pool afterwards; undefined when its own check of k would refuse the trade. */
function traded(
  state: SolidlyState,
  { sell }: Direction,
  net: bigint,
  buyAmount: bigint,
  amount: bigint,
  time: bigint,
): PoolQuote<SolidlyState> | undefined {
  const [first, second] = state.reserves;
  const reserves =
    sell === 0 ? ([first + net, second - buyAmount] as const) : ([first - buyAmount, second + net] as const);
  if (invariantAfter(state, reserves) < invariantAfter(state, state.reserves)) return undefined;
  return { amount, gas: solidlyGas(state, time), next: { ...observedAt(state, time), reserves } };
}

function invariantAfter({ stable, units }: SolidlyState, reserves: readonly [bigint, bigint]): bigint {
  return stable ? invariantOfUnits(reserves, units) : reserves[0] * reserves[1];
}
