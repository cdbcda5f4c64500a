import { larger, MAX_UINT112, smaller } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { branchOf, ONE, otherReserve, ownReserve } from "./branch.ts";
import { eulerSwapCurve } from "./curve.ts";
import { EULER_SWAP_GAS } from "./gas.ts";
import type { EulerSwapState } from "./state.ts";

/**
 * EulerSwap's pools, as `computeQuote` answers (QuoteLib.sol): the curve around an equilibrium, less a fee on what is sold. A pool takes
 * and pays as much as the vaults behind it allow; a trade against the last one takes up none of the room that it makes.
 */
export const eulerSwapMath: PoolMath<EulerSwapState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const most = mostSold(state, direction);
    if (sellAmount > most) return tooLarge(most);
    const paid = paidFor(state, direction, sellAmount);
    return paid === 0n ? TOO_SMALL : traded(state, direction, { sold: sellAmount, bought: paid });
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const { maxBuy } = limitsOf(state, direction);
    const cost = buyAmount > maxBuy ? undefined : costOf(state, direction, buyAmount);
    if (cost === undefined) return tooLarge(maxBuy);
    const quote = traded(state, direction, { sold: cost, bought: buyAmount });
    return { ...quote, amount: cost };
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction) || limitsOf(state, direction).maxBuy === 0n) return undefined;
    return spotOf(state, direction);
  },

  limits: (state, direction) => (isOfTwo(direction) ? limitsOf(state, direction) : NO_LIMITS),

  curve(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const { maxSell, maxBuy } = limitsOf(state, direction);
    const tokens = tokensOf(direction);
    return maxBuy === 0n
      ? undefined
      : eulerSwapCurve(state, { ...tokens, held: heldOf(state, tokens) }, Number(maxSell));
  },
};

function tokensOf({ sell }: Direction): { readonly sell: 0 | 1; readonly buy: 0 | 1 } {
  return sell === 0 ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
}

function limitsOf(state: EulerSwapState, direction: Direction): PoolLimits {
  const { buy } = tokensOf(direction);
  const maxSell = mostSold(state, direction);
  if (maxSell === 0n) return NO_LIMITS;
  // An exact output never empties a pool.
  const payable = smaller(state.maxOut[buy], state.reserves[buy] - 1n);
  const maxBuy = smaller(payable, paidFor(state, direction, maxSell));
  return maxBuy <= 0n ? NO_LIMITS : { maxSell, maxBuy };
}

/** The most that is sold: as much as the vaults take in, and as brings all that they pay out. */
function mostSold(state: EulerSwapState, direction: Direction): bigint {
  const { sell, buy } = tokensOf(direction);
  const { reserves, maxIn, maxOut, fees } = state;
  if (fees[sell] >= ONE || maxOut[buy] === 0n) return 0n;
  const taken = smaller(maxIn[sell], larger(0n, MAX_UINT112 - reserves[sell]));
  const cost = taken === 0n ? undefined : costOf(state, direction, maxOut[buy]);
  return cost === undefined ? taken : smaller(taken, cost);
}

/** Payment for an amount; 0 where the curve has none. */
function paidFor(state: EulerSwapState, direction: Direction, sellAmount: bigint): bigint {
  const { sell, buy } = tokensOf(direction);
  const left = partnerOf(state, sell, state.reserves[sell] + afterFee(state, sell, sellAmount));
  return left === undefined ? 0n : larger(0n, state.reserves[buy] - left);
}

/** Cost of an amount, a base unit at the least; undefined where the curve does not reach it. */
function costOf(state: EulerSwapState, direction: Direction, buyAmount: bigint): bigint | undefined {
  const { sell, buy } = tokensOf(direction);
  if (state.reserves[buy] <= buyAmount) return undefined;
  const partner = partnerOf(state, buy, state.reserves[buy] - buyAmount);
  if (partner === undefined) return undefined;
  const beforeFee = larger(0n, partner - state.reserves[sell]);
  return larger(1n, (beforeFee * ONE) / (ONE - state.fees[sell]));
}

/** Reserve of the other token that the curve asks for beside so much of `token`. */
export function partnerOf(state: EulerSwapState, token: 0 | 1, reserve: bigint): bigint | undefined {
  const { version, equilibrium } = state;
  return reserve <= equilibrium[token]
    ? otherReserve(version, branchOf(state, token), reserve)
    : ownReserve(version, branchOf(state, token === 0 ? 1 : 0), reserve);
}

function afterFee({ fees }: EulerSwapState, sell: 0 | 1, amount: bigint): bigint {
  return amount - (amount * fees[sell]) / ONE;
}

function traded(
  state: EulerSwapState,
  direction: Direction,
  { sold, bought }: { readonly sold: bigint; readonly bought: bigint },
): PoolQuote<EulerSwapState> {
  const { sell } = tokensOf(direction);
  const { reserves, maxIn, maxOut } = state;
  const taken = afterFee(state, sell, sold);
  const { buy } = tokensOf(direction);
  return {
    ...{ amount: bought, gas: EULER_SWAP_GAS },
    next: {
      ...state,
      reserves: plus(plus(reserves, sell, taken), buy, -bought),
      maxIn: plus(maxIn, sell, -sold),
      maxOut: plus(maxOut, buy, -bought),
    },
  };
}

/** Amounts with so much more of one token's, down to nothing. */
function plus([first, second]: readonly [bigint, bigint], token: 0 | 1, more: bigint): readonly [bigint, bigint] {
  return token === 0 ? [larger(0n, first + more), second] : [first, larger(0n, second + more)];
}

/**
 * What a pool holds of the bought token as far as the curve asks for it. The rest, which somebody has left there, is the next trade's,
 * beside its price.
 */
function heldOf(state: EulerSwapState, { sell, buy }: ReturnType<typeof tokensOf>): bigint {
  const { reserves } = state;
  const asked = partnerOf(state, sell, reserves[sell]);
  return asked === undefined ? reserves[buy] : smaller(asked, reserves[buy]);
}

/** Price of a trade of no size: the slope on the side that it begins on. */
function spotOf(state: EulerSwapState, direction: Direction) {
  const { sell, buy } = tokensOf(direction);
  const keep = ONE - state.fees[sell];
  const isBack = state.reserves[sell] < state.equilibrium[sell];
  const { px, py, x0, c } = branchOf(state, isBack ? sell : buy);
  const square = (isBack ? state.reserves[sell] : heldOf(state, { sell, buy })) ** 2n;
  const [num, den] = c === ONE ? [px, py] : [px * (c * square + (ONE - c) * x0 ** 2n), py * ONE * square];
  if (num === 0n || den === 0n) return undefined;
  return isBack ? { num: keep * num, den: ONE * den } : { num: keep * den, den: ONE * num };
}
