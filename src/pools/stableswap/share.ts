import type { PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { FEE_ONE, grownFee, imbalanceFee } from "./fee.ts";
import { stableswapShareGas } from "./gas.ts";
import { balanceFor, invariantOf, PRECISION, scaledBalances } from "./invariant.ts";
import type { StableswapState } from "./state.ts";
import { type StableswapAt, stateAt } from "./state-at.ts";

/**
 * One coin for the pool's own shares and back, as the transactions compute it: add_liquidity with one coin, and
 * remove_liquidity_one_coin of StableSwap3Pool.vy, SwapTemplateBase.vy and CurveStableSwapNG.vy. A fee is taken of what
 * is out of proportion, of every coin; its admin part leaves the balances.
 */

type Answer = PoolQuote<StableswapState> | Rejection;

/** Shares for `amount` of a coin (add_liquidity). */
export function sharesForCoin(current: StableswapAt, supply: bigint, coin: number, amount: bigint): Answer {
  const { state, amplification, d, scaled } = current;
  const { balances: old, rates, adminFee } = state;
  const count = BigInt(scaled.length);
  const added = old.map((balance, i) => (i === coin ? balance + amount : balance));
  const before = invariantOf(scaledBalances({ balances: added, rates }), amplification, state);
  if (before === undefined) return NO_LIQUIDITY;
  if (before <= d) return TOO_SMALL;
  const mean = (d + before) / count;
  const base = imbalanceFee(state);
  const fees = added.map((balance, i) => {
    const had = old[i] as bigint;
    const twice = ((rates[i] as bigint) * (had + balance)) / PRECISION;
    return (grownFee(state, base, twice, mean) * distance((before * had) / d, balance)) / FEE_ONE;
  });
  const taxed = added.map((balance, i) => balance - (fees[i] as bigint));
  if (taxed.some((balance) => balance <= 0n)) return NO_LIQUIDITY;
  const after = invariantOf(scaledBalances({ balances: taxed, rates }), amplification, state);
  if (after === undefined) return NO_LIQUIDITY;
  const shares = (supply * (after - d)) / d;
  if (shares <= 0n) return TOO_SMALL;
  const balances = added.map((balance, i) => balance - ((fees[i] as bigint) * adminFee) / FEE_ONE);
  return {
    amount: shares,
    gas: stableswapShareGas(balances.length, "add"),
    next: { ...state, balances, totalSupply: supply + shares },
  };
}

/** A coin for `shares` (remove_liquidity_one_coin). */
export function coinForShares(current: StableswapAt, supply: bigint, coin: number, shares: bigint): Answer {
  const { state, amplification, d, scaled } = current;
  const left = d - (shares * d) / supply;
  if (left <= 0n) return NO_LIQUIDITY;
  const untaxed = balanceFor(scaled, coin, left, amplification, state);
  if (untaxed === undefined) return NO_LIQUIDITY;
  const mean = (d + left) / (2n * BigInt(scaled.length));
  const base = imbalanceFee(state);
  const taxed: bigint[] = [];
  for (const [i, had] of scaled.entries()) {
    const kept = (had * left) / d;
    const [out, middle] = i === coin ? [kept - untaxed, (had + untaxed) / 2n] : [had - kept, had];
    if (out < 0n) return TOO_SMALL;
    taxed.push(had - (grownFee(state, base, middle, mean) * out) / FEE_ONE);
  }
  const held = balanceFor(taxed, coin, left, amplification, state);
  if (held === undefined) return NO_LIQUIDITY;
  const rate = state.rates[coin] as bigint;
  const paid = (taxed[coin] as bigint) - held - 1n;
  const buyAmount = paid > 0n ? (paid * PRECISION) / rate : 0n;
  const fee = (((scaled[coin] as bigint) - untaxed) * PRECISION) / rate - buyAmount;
  if (buyAmount === 0n || fee < 0n) return TOO_SMALL;
  const kept = (state.balances[coin] as bigint) - buyAmount - (fee * state.adminFee) / FEE_ONE;
  if (kept < 0n) return NO_LIQUIDITY;
  const balances = state.balances.with(coin, kept);
  return {
    amount: buyAmount,
    gas: stableswapShareGas(balances.length, "remove"),
    next: { ...state, balances, totalSupply: supply - shares },
  };
}

/** Value of a share in 18 decimals of the common value (get_virtual_price); undefined if the pool reverts. */
export function virtualPriceOf(state: StableswapState, time: bigint): bigint | undefined {
  const current = stateAt(state, time);
  if ("rejected" in current || !state.totalSupply) return undefined;
  return (current.d * PRECISION) / state.totalSupply;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
