import { type DirectedPool, unscaled } from "./directed-pool.ts";
import type { FluidState, PerToken } from "./state.ts";

const WHOLE = 10n ** 4n;
/** Largest excess of the amount sent over the amount put to account, in parts of 10^4 (MAX_INPUT_AMOUNT_EXCESS). */
const MAX_EXCESS = 100n;
/** The layer keeps so many digits of what it counts, in the base of two, one left out for what is worth more than a share. */
const KEPT_DIGITS = 55n;

/** Amounts that a swap moves on the Liquidity layer: by collateral and by debt, twelve decimals. */
export interface Moved {
  /** Amount sold, base units. */
  readonly sold: bigint;
  /** Part of it that is put to account: the protocol's cut is not. */
  readonly kept: PerToken;
  readonly bought: PerToken;
}

/**
 * Whether the Liquidity layer takes and pays what a swap moves: no more is deposited, paid back, withdrawn, borrowed or used of a
 * token than may be now. "TOO_SMALL" where it is lost in the layer's own roundings.
 */
export function settledAs(pool: DirectedPool, { sold, kept, bought }: Moved): "TOO_SMALL" | "TOO_LARGE" | "SETTLED" {
  const { state, sell, buy } = pool;
  const [deposited, repaid] = kept.map((amount) => unscaled(state, sell, amount)) as [bigint, bigint];
  const [withdrawn, lent] = bought.map((amount) => unscaled(state, buy, amount)) as [bigint, bigint];
  const isTaken =
    repaid <= state.owed[sell] && (state.depositable === undefined || deposited <= state.depositable[sell]);
  if (!isTaken || !isPayable(pool, withdrawn, lent)) return "TOO_LARGE";
  if (sold > ((deposited + repaid) * (WHOLE + MAX_EXCESS)) / WHOLE) return "TOO_SMALL";
  const isCounted = [deposited, repaid].every((amount) => amount === 0n || amount >= leastCounted(state, sell));
  const isPaid = [withdrawn, lent].every((amount) => amount === 0n || amount >= leastCounted(state, buy));
  return isCounted && isPaid ? "SETTLED" : "TOO_SMALL";
}

/** The layer refuses what changes none of its numbers (UserModule__OperateAmountInsufficient). */
function leastCounted({ supplied, borrowed }: FluidState, token: 0 | 1): bigint {
  const most = supplied[token] > borrowed[token] ? supplied[token] : borrowed[token];
  return (most >> KEPT_DIGITS) + 2n;
}

/** Whether so much of what is bought may be withdrawn and lent, and its utilization allows it, rounded against the swap. */
function isPayable({ state, buy }: DirectedPool, withdrawn: bigint, lent: bigint): boolean {
  if (withdrawn > state.withdrawable[buy] || lent > state.borrowable[buy]) return false;
  const [any, borrowing] = [state.mostUtilized[buy], state.mostBorrowed[buy]];
  const most = lent > 0n && borrowing < any ? borrowing : any;
  return (state.borrowed[buy] + lent) * WHOLE <= (state.supplied[buy] - withdrawn) * most;
}
