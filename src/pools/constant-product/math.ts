import { MAX_UINT112 } from "../../math/full-math.ts";
import type { Direction, PoolMath, PoolQuote } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { constantProductCurve, constantProductOutline } from "./curve.ts";
import { CONSTANT_PRODUCT_GAS } from "./gas.ts";
import { type ConstantProductState, isTaxedState } from "./state.ts";
import { taxedMath, taxedOutline } from "./taxed.ts";

/** One direction of a pair: what it holds of the sold and of the bought token. */
interface Reserves {
  readonly sold: bigint;
  readonly bought: bigint;
}

/**
 * Uniswap V2's pair (UniswapV2Pair.sol) as its router trades it (UniswapV2Library.sol), with any fee. What getAmountOut
 * gives is the most that the pair's own check of k lets out.
 */
export const constantProductMath: PoolMath<ConstantProductState> = {
  quoteExactIn(state, direction, sellAmount, time) {
    if (isTaxedState(state)) return taxedMath.quoteExactIn(state, direction, sellAmount, time);
    const reserves = reservesOf(state, direction);
    if (reserves === undefined) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (reserves.sold === 0n || reserves.bought === 0n) return NO_LIQUIDITY;
    const most = MAX_UINT112 - reserves.sold;
    if (sellAmount > most) return { rejected: "TOO_LARGE", most };
    const buyAmount = amountOut(state, reserves, sellAmount);
    if (buyAmount === 0n) return TOO_SMALL;
    return traded(state, direction, sellAmount, buyAmount, buyAmount);
  },

  quoteExactOut(state, direction, buyAmount) {
    if (isTaxedState(state)) return UNSUPPORTED;
    const reserves = reservesOf(state, direction);
    if (reserves === undefined) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (reserves.sold === 0n || reserves.bought === 0n) return NO_LIQUIDITY;
    // The cost shows whether the amount is too much: up to `maxBuy` it is within the room.
    const sellAmount = buyAmount < reserves.bought ? amountIn(state, reserves, buyAmount) : MAX_UINT112;
    if (sellAmount > MAX_UINT112 - reserves.sold) return tooLarge(maxBuy(state, reserves));
    return traded(state, direction, sellAmount, buyAmount, sellAmount);
  },

  servesExactOut: (state) => !isTaxedState(state),

  spotPrice(state, direction, time) {
    if (isTaxedState(state)) return taxedMath.spotPrice(state, direction, time);
    const reserves = reservesOf(state, direction);
    if (reserves === undefined || reserves.sold === 0n || reserves.bought === 0n) return undefined;
    return { num: reserves.bought * (state.feeDen - state.feeNum), den: reserves.sold * state.feeDen };
  },

  limits(state, direction, time) {
    if (isTaxedState(state)) return taxedMath.limits(state, direction, time);
    const reserves = reservesOf(state, direction);
    if (reserves === undefined || reserves.sold === 0n || reserves.bought === 0n) return NO_LIMITS;
    return { maxSell: MAX_UINT112 - reserves.sold, maxBuy: maxBuy(state, reserves) };
  },

  outline(state, direction) {
    if (isTaxedState(state)) return taxedOutline(state, direction);
    const reserves = reservesOf(state, direction);
    return reserves && constantProductOutline(state, reserves.sold, reserves.bought);
  },

  curve(state, direction, time) {
    if (isTaxedState(state)) return taxedMath.curve(state, direction, time);
    const reserves = reservesOf(state, direction);
    return reserves && constantProductCurve(state, reserves.sold, reserves.bought);
  },
};

function reservesOf(state: ConstantProductState, { sell, buy }: Direction): Reserves | undefined {
  const [first, second] = state.reserves;
  if (sell === 0 && buy === 1) return { sold: first, bought: second };
  if (sell === 1 && buy === 0) return { sold: second, bought: first };
  return undefined;
}

/** UniswapV2Library.getAmountOut. */
function amountOut({ feeNum, feeDen }: ConstantProductState, { sold, bought }: Reserves, sellAmount: bigint): bigint {
  const net = sellAmount * (feeDen - feeNum);
  return (net * bought) / (sold * feeDen + net);
}

/** UniswapV2Library.getAmountIn, its last wei on top included: every router pays it. `buyAmount` is below the reserve. */
function amountIn({ feeNum, feeDen }: ConstantProductState, { sold, bought }: Reserves, buyAmount: bigint): bigint {
  return (sold * buyAmount * feeDen) / ((bought - buyAmount) * (feeDen - feeNum)) + 1n;
}

/** The most that can be bought without lifting the other reserve above uint112. */
function maxBuy(state: ConstantProductState, reserves: Reserves): bigint {
  const maxSell = MAX_UINT112 - reserves.sold;
  const most = amountOut(state, reserves, maxSell);
  return most > 0n && amountIn(state, reserves, most) > maxSell ? most - 1n : most;
}

function traded(
  state: ConstantProductState,
  direction: Direction,
  sellAmount: bigint,
  buyAmount: bigint,
  amount: bigint,
): PoolQuote<ConstantProductState> {
  const [first, second] = state.reserves;
  const reserves =
    direction.sell === 0
      ? ([first + sellAmount, second - buyAmount] as const)
      : ([first - buyAmount, second + sellAmount] as const);
  return { amount, gas: CONSTANT_PRODUCT_GAS, next: { ...state, reserves } };
}
