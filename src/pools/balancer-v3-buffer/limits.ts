import { divRoundingUp, larger, MAX_UINT128, MAX_UINT256, smaller } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import { MAX_TIMES_HELD } from "../float/most-asked.ts";
import type { Direction, PoolLimits } from "../pool-math.ts";
import { NO_LIMITS } from "../rejections.ts";
import type { BalancerV3BufferState } from "./state.ts";
import { askedFor, costOf, imbalanceOfSold, paidFor, type Side, sideOf } from "./trade.ts";

/** Units of either token that an exact-out swap's roundings may differ from an exact-in swap's by, kept from a limit of the vault's own. */
const ROUNDINGS = 4n;

/** As much as the buffer has, or as much as goes through the ERC-4626 vault, whichever is more. */
export function limitsOf(state: BalancerV3BufferState, direction: Direction): PoolLimits {
  if (!isOfTwo(direction) || state.paused) return NO_LIMITS;
  const side = sideOf(state, direction);
  const maxSell = smaller(mostAround(side), larger(mostCovered(side), mostThrough(side)));
  if (maxSell <= 0n) return NO_LIMITS;
  const maxBuy = paidFor(side, maxSell);
  return maxBuy < larger(state.minWrap, 1n) || costOf(side, maxBuy) < state.minWrap ? NO_LIMITS : { maxSell, maxBuy };
}

/** Most of the sold token that anybody can hold and the vault can count. */
function mostAround({ state, wraps, heldOfSold, heldOfBought }: Side): bigint {
  const countable = MAX_UINT128 - larger(heldOfSold, heldOfBought);
  return wraps ? countable : smaller(countable, state.totalSupply - state.shares);
}

/** The most that pays no more than the buffer holds. */
function mostCovered({ sold, bought, heldOfBought }: Side): bigint {
  return ((heldOfBought + 2n) * sold - 1n) / bought + 1n;
}

/** The most that the ERC-4626 vault takes, with what the buffer adds to it or takes off. */
function mostThrough(side: Side): bigint {
  const { state, wraps, sold, bought } = side;
  const own = wraps ? state.maxDeposit : state.maxRedeem;
  const roundings = ROUNDINGS * (1n + divRoundingUp(sold, bought) + divRoundingUp(bought, sold));
  const allowed = own === MAX_UINT256 ? MAX_UINT128 : own - imbalanceOfSold(side) - roundings;
  if (!wraps) return allowed;
  const countable = [
    MAX_UINT128 - state.totalAssets - side.heldOfSold,
    askedFor(side, MAX_UINT128 - state.totalSupply) - 1n - side.heldOfSold,
  ];
  return [MAX_TIMES_HELD * state.totalAssets, ...countable].reduce(smaller, allowed);
}
