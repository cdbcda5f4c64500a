import { unscaled, type Way } from "./way.ts";

const WHOLE = 10n ** 4n;

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
