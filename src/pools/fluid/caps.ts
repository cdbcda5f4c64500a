import { unscaled, type Way } from "./way.ts";

const WHOLE = 10n ** 4n;

/** What is sent may be above what is put to account by so many parts of 10^4 (MAX_INPUT_AMOUNT_EXCESS). */
const MOST_EXCESS = 100n;

/**
 * Whether the Liquidity layer takes `sold` for what goes into both sides, twelve decimals without the protocol's cut: no more
 * debt is paid than there is. "TOO_SMALL" where the layer's own rounding leaves too much of so little out of account.
 */
export function takenAs(
  { state, sell }: Way,
  sold: bigint,
  [deposited, repaid]: readonly [bigint, bigint],
): "TOO_SMALL" | "TOO_LARGE" | "TAKEN" {
  const payment = unscaled(state, sell, repaid);
  if (payment > state.owed[sell]) return "TOO_LARGE";
  const counted = unscaled(state, sell, deposited) + payment;
  return sold > (counted * (WHOLE + MOST_EXCESS)) / WHOLE ? "TOO_SMALL" : "TAKEN";
}

/**
 * Whether the Liquidity layer pays what both sides of a swap give, twelve decimals: within what the pool may withdraw and borrow
 * now, and within the token's utilization, as rounded against the swap.
 */
export function isPayable(
  { state, buy }: Way,
  [collateral, debt]: readonly [{ readonly bought: bigint }, { readonly bought: bigint }],
): boolean {
  const withdrawn = unscaled(state, buy, collateral.bought);
  const lent = unscaled(state, buy, debt.bought);
  if (withdrawn > state.withdrawable[buy] || lent > state.borrowable[buy]) return false;
  const [any, borrowing] = [state.mostUtilized[buy], state.mostBorrowed[buy]];
  const most = lent > 0n && borrowing < any ? borrowing : any;
  return (state.borrowed[buy] + lent) * WHOLE <= (state.supplied[buy] - withdrawn) * most;
}
