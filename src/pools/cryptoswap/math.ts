import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { balanceAt } from "./balance.ts";
import { cryptoswapCurve } from "./curve.ts";
import { feeOf } from "./fee.ts";
import { cryptoswapGas } from "./gas.ts";
import { geometricMean } from "./geometric-mean.ts";
import { invariantOf } from "./newton.ts";
import { spotOf } from "./spot.ts";
import type { CryptoswapState } from "./state.ts";
import { type CryptoswapAt, stateAt } from "./state-at.ts";
import { FEE_ONE, ONE } from "./terms.ts";

/**
 * Curve's pools of tokens of unlike value, as `exchange` computes it: CurveTwocryptoOptimized.vy (2.0, 2.1) and
 * CurveTricryptoOptimized.vy (2.0), and CurveCryptoSwap.vy of the two generations before. They cannot be asked for an exact
 * output, and are traded once per block at most: an exchange may move the internal price, by averages of prices that the
 * contract keeps to itself.
 */
export const cryptoswapMath: PoolMath<CryptoswapState> = mathAtTime({
  tokenCount: ({ balances }) => balances.length,
  stateAt,
  maxSell,
  soldExactly: exchanged,
  spotOf,
  curveOf: cryptoswapCurve,
});

/** Base units of the sold token that bring neither its balance nor what is left of the other out of reach. */
function maxSell({ scaled, scales, amplification, d, least, most }: CryptoswapAt, { sell, buy }: Direction): bigint {
  const emptied = scaled.map((balance, i) => (i === buy ? least : balance));
  const full = balanceAt(emptied, sell, d, amplification)?.y ?? most;
  const room = (full < most ? full : most) - (scaled[sell] as bigint);
  return room > 0n ? (room * ONE) / (scales[sell] as bigint) : 0n;
}

function exchanged(
  { state, ramping, scales, scaled, amplification, d }: CryptoswapAt,
  { sell, buy }: Direction,
  sellAmount: bigint,
): PoolQuote<CryptoswapState> | Rejection {
  const { balances, precisions, priceScale, generation } = state;
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
  const worth = (ONE * worthOf(after, state)) / state.supply;
  // Too little a fee to cover what was rounded: the contract calls that a loss, and before NG minded no standstill.
  const least = generation === undefined ? state.virtualPrice + 1n : state.virtualPrice;
  if (worth < least && !ramping) return TOO_SMALL;
  const next: CryptoswapState = { ...state, balances: filled, d: after, virtualPrice: worth, traded: true };
  return { amount: buyAmount, gas: cryptoswapGas(balances.length, generation), next };
}

/** Value of the shares at an invariant: the geometric mean of balanced holdings (get_xcp). */
function worthOf(d: bigint, { priceScale, generation }: CryptoswapState): bigint {
  const count = BigInt(priceScale.length + 1);
  return geometricMean([d / count, ...priceScale.map((price) => (d * ONE) / (count * price))], generation);
}
