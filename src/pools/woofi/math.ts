import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { wooCurve } from "./curve.ts";
import { wooGas } from "./gas.ts";
import { mostSold } from "./limits.ts";
import type { WooState } from "./state.ts";
import { amountsOf, FEE_ONE, ONE, tradeOf, type WooTrade } from "./trade.ts";

/** A pool's state at a time. */
interface WooAt {
  readonly state: WooState;
  readonly time: bigint;
}

/**
 * WOOFi's pools (WooPPV2.sol: _sellBase, _sellQuote, _swapBaseToBase): the oracle's price, less its spread, less what the trade
 * itself moves it by. A price that has turned stale by the time of the swap is none. The contracts cannot be asked for an exact
 * output. A trade posts new prices for its base tokens: these are not traded again in the same transaction.
 */
export const wooMath: PoolMath<WooState> = mathAtTime<WooState, WooAt>({
  tokenCount: ({ reserves }) => reserves.length,
  stateAt: (state, time) => ({ state, time }),
  maxSell(current, direction) {
    const trade = tradeAt(current, direction);
    return trade === undefined ? 0n : mostSold(trade);
  },
  soldExactly(current, direction, sellAmount): PoolQuote<WooState> | Rejection {
    const trade = tradeAt(current, direction);
    if (trade === undefined) return NO_LIQUIDITY;
    const { gross, fee, paid } = amountsOf(trade, sellAmount);
    if (paid === 0n) return TOO_SMALL;
    return { amount: paid, gas: gasOf(trade), next: after(trade, { sellAmount, gross, fee, paid }) };
  },
  spotOf(current, direction) {
    const trade = tradeAt(current, direction);
    return trade === undefined || mostSold(trade) === 0n ? undefined : spotOf(trade);
  },
  curveOf(current, direction, most) {
    const trade = tradeAt(current, direction);
    return trade === undefined ? undefined : wooCurve(trade, most, Number(gasOf(trade)));
  },
});

function tradeAt({ state, time }: WooAt, direction: Direction): WooTrade | undefined {
  return tradeOf(state, direction, time);
}

function gasOf({ sold, bought }: WooTrade): bigint {
  return wooGas(sold !== undefined && bought !== undefined ? 2 : 1);
}

function spotOf({ state, sold, bought, soldSpread, boughtSpread, feeRate }: WooTrade) {
  let [num, den] = [FEE_ONE - feeRate, FEE_ONE];
  const { quoteUnit, priceUnit } = state;
  if (sold !== undefined) {
    num *= sold.price * quoteUnit * (ONE - soldSpread);
    den *= priceUnit * sold.unit * ONE;
  }
  if (bought !== undefined) {
    num *= bought.unit * priceUnit * (ONE - boughtSpread);
    den *= bought.price * quoteUnit * ONE;
  }
  return { num, den };
}

/** The pool after a trade: the fee leaves the reserves, and the base tokens have prices that the oracle has yet to confirm. */
function after(
  { state, direction: { sell, buy }, sold }: WooTrade,
  { sellAmount, gross, fee, paid }: ReturnType<typeof amountsOf> & { readonly sellAmount: bigint },
): WooState {
  const reserves = [...state.reserves];
  const move = (token: number, by: bigint) => {
    reserves[token] = (reserves[token] as bigint) + by;
  };
  if (sold === undefined) move(0, sellAmount - fee);
  else {
    move(sell, sellAmount);
    move(0, buy === 0 ? -gross : -fee);
  }
  if (buy !== 0) move(buy, -paid);
  const bases = state.bases.map((base, i) => (i + 1 === sell || i + 1 === buy ? { ...base, price: 0n } : base));
  return { ...state, reserves, bases };
}
