import { larger, MAX_UINT112, smaller } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { branchOf, ONE, otherReserve, ownReserve } from "./branch.ts";
import { eulerSwapCurve } from "./curve.ts";
import { EULER_SWAP_GAS } from "./gas.ts";
import type { EulerSwapState } from "./state.ts";

/** A direction, as indices into pairs. */
interface Tokens {
  readonly sell: 0 | 1;
  readonly buy: 0 | 1;
}

/** Base units by which rounding may part the two ways of a trade. */
const ROUNDINGS = 16;

/**
 * EulerSwap's pools, as `computeQuote` answers (QuoteLib.sol): the curve around an equilibrium, less a fee on what is sold. A pool takes
 * and pays as much as the vaults behind it allow; a trade against the last one takes up none of the room that it makes.
 */
export const eulerSwapMath: PoolMath<EulerSwapState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const tokens = tokensOf(direction);
    const most = mostSold(state, tokens);
    if (sellAmount > most) return tooLarge(most);
    const paid = paidFor(state, tokens, afterFee(state, tokens.sell, sellAmount));
    return paid === 0n ? TOO_SMALL : traded(state, tokens, { sold: sellAmount, bought: paid });
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const tokens = tokensOf(direction);
    const { maxBuy } = limitsOf(state, tokens);
    const cost = buyAmount > maxBuy ? undefined : costOf(state, tokens, buyAmount);
    if (cost === undefined) return tooLarge(maxBuy);
    return { ...traded(state, tokens, { sold: cost, bought: buyAmount }), amount: cost };
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const tokens = tokensOf(direction);
    return limitsOf(state, tokens).maxSell === 0n ? undefined : spotOf(state, tokens);
  },

  limits: (state, direction) => (isOfTwo(direction) ? limitsOf(state, tokensOf(direction)) : NO_LIMITS),

  curve(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const tokens = tokensOf(direction);
    const { maxSell } = limitsOf(state, tokens);
    return maxSell === 0n
      ? undefined
      : eulerSwapCurve(state, { ...tokens, held: heldOf(state, tokens) }, Number(maxSell));
  },
};

function tokensOf({ sell }: Direction): Tokens {
  return sell === 0 ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
}

function limitsOf(state: EulerSwapState, tokens: Tokens): PoolLimits {
  const maxSell = mostSold(state, tokens);
  if (maxSell === 0n || paidFor(state, tokens, afterFee(state, tokens.sell, maxSell)) === 0n) return NO_LIMITS;
  return { maxSell, maxBuy: mostBought(state, tokens) };
}

/** The most that a pool has room for after its fee, whatever it pays for that. */
function mostTaken(state: EulerSwapState, { sell }: Tokens): bigint {
  const { reserves, maxIn, fees } = state;
  if (fees[sell] >= ONE) return 0n;
  return smaller(afterFee(state, sell, maxIn[sell]), larger(0n, MAX_UINT112 - reserves[sell]));
}

/** The most that is sold: as much as the vaults take in, and as brings no more than they pay out. */
function mostSold(state: EulerSwapState, tokens: Tokens): bigint {
  const { maxIn, maxOut, fees } = state;
  const payable = maxOut[tokens.buy];
  let taken = mostTaken(state, tokens);
  if (payable === 0n || taken === 0n) return 0n;
  const isPayable = (amount: bigint) => paidFor(state, tokens, amount) <= payable;
  if (!isPayable(taken)) {
    const asked = beforeFeeOf(state, tokens, payable) ?? 0n;
    taken = smaller(taken, asked);
    for (let step = 0; step < ROUNDINGS && taken > 0n && !isPayable(taken); step++) taken--;
    if (taken > 0n && !isPayable(taken)) return 0n;
  }
  return smaller(maxIn[tokens.sell], (taken * ONE) / (ONE - fees[tokens.sell]));
}

/** The most that is bought exactly: less than the whole reserve, and for no more than the vaults take in. */
function mostBought(state: EulerSwapState, tokens: Tokens): bigint {
  const { sell, buy } = tokens;
  const { reserves, maxIn, maxOut, fees } = state;
  const payable = smaller(maxOut[buy], reserves[buy] - 1n);
  let taken = smaller((maxIn[sell] * (ONE - fees[sell])) / ONE, mostTaken(state, tokens));
  for (let step = 0; step < ROUNDINGS && taken >= 0n; step++, taken--) {
    const most = smaller(payable, paidFor(state, tokens, taken));
    if (most <= 0n) return 0n;
    const cost = costOf(state, tokens, most);
    if (cost !== undefined && cost <= maxIn[sell]) return most;
  }
  return 0n;
}

/** Payment for what is left of a sale after the fee; 0 where the curve has none. */
function paidFor(state: EulerSwapState, { sell, buy }: Tokens, taken: bigint): bigint {
  const left = partnerOf(state, sell, state.reserves[sell] + taken);
  return left === undefined ? 0n : larger(0n, state.reserves[buy] - left);
}

/** Cost of an amount before the fee is added; undefined where the curve does not reach it. */
function beforeFeeOf(state: EulerSwapState, { sell, buy }: Tokens, buyAmount: bigint): bigint | undefined {
  if (state.reserves[buy] <= buyAmount) return undefined;
  const partner = partnerOf(state, buy, state.reserves[buy] - buyAmount);
  return partner === undefined ? undefined : larger(0n, partner - state.reserves[sell]);
}

/** Cost of an amount, a base unit at the least; undefined where the curve does not reach it. */
function costOf(state: EulerSwapState, tokens: Tokens, buyAmount: bigint): bigint | undefined {
  const beforeFee = beforeFeeOf(state, tokens, buyAmount);
  return beforeFee === undefined ? undefined : larger(1n, (beforeFee * ONE) / (ONE - state.fees[tokens.sell]));
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
  { sell, buy }: Tokens,
  { sold, bought }: { readonly sold: bigint; readonly bought: bigint },
): PoolQuote<EulerSwapState> {
  const { reserves, maxIn, maxOut } = state;
  return {
    ...{ amount: bought, gas: EULER_SWAP_GAS },
    next: {
      ...state,
      reserves: plus(plus(reserves, sell, afterFee(state, sell, sold)), buy, -bought),
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
 * Reserve of the bought token as far as the curve asks for it. The next trade gets the rest, which somebody has left there, beside
 * its price.
 */
function heldOf(state: EulerSwapState, { sell, buy }: Tokens): bigint {
  const { reserves } = state;
  const asked = partnerOf(state, sell, reserves[sell]);
  return asked === undefined ? reserves[buy] : smaller(asked, reserves[buy]);
}

/** Price of a trade of no size: the slope on the side that it begins on. */
function spotOf(state: EulerSwapState, { sell, buy }: Tokens) {
  const keep = ONE - state.fees[sell];
  const isBack = state.reserves[sell] < state.equilibrium[sell];
  const { px, py, x0, c } = branchOf(state, isBack ? sell : buy);
  const square = (isBack ? state.reserves[sell] : heldOf(state, { sell, buy })) ** 2n;
  const [num, den] = c === ONE ? [px, py] : [px * (c * square + (ONE - c) * x0 ** 2n), py * ONE * square];
  if (num === 0n || den === 0n) return undefined;
  return isBack ? { num: keep * num, den: ONE * den } : { num: keep * den, den: ONE * num };
}
