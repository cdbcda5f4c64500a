import { larger, smaller } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { dodoCurve } from "./curve.ts";
import { DODO_GAS } from "./gas.ts";
import { ONE } from "./pmm.ts";
import { type Side, saleOf, sideOf, withTargets } from "./side.ts";
import type { DodoState } from "./state.ts";

/** Reserves are stored in so many bits. */
const MAX_RESERVE = (1n << 112n) - 1n;
/** Beyond so many times the worth of what is paid out of, a pool with a slope has nothing left to pay. */
const MAX_TIMES_WORTH = 10n ** 6n;

/**
 * DODO V2's pools (DVMTrader.sol, DPPTrader.sol, DSPTrader.sol): a proactive market maker around a price, whose fees are taken of
 * what is bought. The contracts cannot be asked for an exact output.
 */
export const dodoMath: PoolMath<DodoState> = {
  servesExactOut: () => false,

  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const side = sideOf(state, direction);
    const most = mostSold(side);
    return sellAmount > most ? tooLarge(most) : soldTo(side, sellAmount);
  },

  quoteExactOut: (_state, direction, buyAmount) => {
    return isOfTwo(direction) && buyAmount <= 0n ? TOO_SMALL : UNSUPPORTED;
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const side = sideOf(state, direction);
    return mostSold(side) === 0n ? undefined : spotOf(side);
  },

  limits(state, direction): PoolLimits {
    if (!isOfTwo(direction)) return NO_LIMITS;
    const side = sideOf(state, direction);
    const maxSell = mostSold(side);
    const largest = maxSell === 0n ? NO_LIQUIDITY : soldTo(side, maxSell);
    return "rejected" in largest ? NO_LIMITS : { maxSell, maxBuy: largest.amount };
  },

  curve(state, direction: Direction) {
    if (!isOfTwo(direction)) return undefined;
    const side = sideOf(state, direction);
    const most = mostSold(side);
    return most === 0n ? undefined : dodoCurve(side, Number(most));
  },
};

/**
 * The most that is sold: back to the targets, and on to some times the worth of what is paid out of. A vending machine goes back
 * to its target of the base token and no further, since it has none of the quote token.
 */
function mostSold(side: Side): bigint {
  const { state, sell, buy, pricing, way } = side;
  const { reserves, targets, k, lpFee, maintainerFee } = state;
  if (reserves[buy] === 0n || pricing.i === 0n || lpFee + maintainerFee >= ONE) return 0n;
  const room = larger(0n, MAX_RESERVE - reserves[sell]);
  // A pool whose reserves are beyond its targets on both sides refuses every trade.
  if (way !== undefined && (way < 0n || side.wayPays < 0n || reserves[sell] === 0n)) return 0n;
  if (targets[buy] === 0n) return smaller(room, way ?? 0n);
  const held = way === undefined && state.r !== "ONE" ? reserves[buy] : targets[buy];
  const worth = (held * ONE) / pricing.i;
  const most = smaller(room, (way ?? 0n) + (k === 0n ? worth : MAX_TIMES_WORTH * worth));
  return saleOf(side, most) === undefined ? lastServed(side, most) : most;
}

/** The largest amount below one that the contract refuses, since it would leave less than one unit. */
function lastServed(side: Side, refused: bigint): bigint {
  let [low, high] = [smaller(side.way ?? 0n, refused - 1n), refused];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (saleOf(side, middle) === undefined) high = middle;
    else low = middle;
  }
  return low;
}

function soldTo(side: Side, sellAmount: bigint): PoolQuote<DodoState> | Rejection {
  const { state, sell, buy } = side;
  const { reserves, kind, lpFee, maintainerFee } = state;
  const sale = saleOf(side, sellAmount);
  if (sale === undefined) return NO_LIQUIDITY;
  const fee = (sale.gross * maintainerFee) / ONE;
  const paid = sale.gross - (sale.gross * lpFee) / ONE - fee;
  if (paid <= 0n) return TOO_SMALL;
  const left = reserves[buy] - paid - fee;
  if (left < 0n) return NO_LIQUIDITY;
  const had = reserves[sell] + sellAmount;
  const moved = { ...state, reserves: sell === 0 ? ([had, left] as const) : ([left, had] as const) };
  const next = withTargets(kind === "DVM" ? moved : { ...moved, r: sale.r });
  return { amount: paid, gas: DODO_GAS, next: next ?? { ...moved, targets: [0n, 0n], reserves: [0n, 0n] } };
}

/** Price of a trade of no size: the slope at the reserve that is traded first. */
function spotOf({ state, sell, buy, pricing, way }: Side) {
  const { reserves, targets, k, r, lpFee, maintainerFee } = state;
  const keep = ONE - lpFee - maintainerFee;
  if (way !== undefined && way > 0n) {
    const [target, held] = [targets[sell] ** 2n, reserves[sell] ** 2n];
    return { num: keep * pricing.i * ((ONE - k) * held + k * target), den: ONE ** 3n * held };
  }
  const held = r === "ONE" || way !== undefined ? targets[buy] : reserves[buy];
  return { num: keep * pricing.i * held ** 2n, den: ONE * ((ONE - k) * held ** 2n + k * targets[buy] ** 2n) };
}
