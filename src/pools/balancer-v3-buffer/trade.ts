import { divRoundingUp, MAX_UINT128 } from "../../math/full-math.ts";
import type { Direction } from "../pool-math.ts";
import { withTotals } from "../rate-totals.ts";
import type { BalancerV3BufferState } from "./state.ts";

/** One direction of a buffer. The rate is `bought` to `sold`: the vault's totals, the one asset and the virtual shares included. */
export interface Side {
  readonly state: BalancerV3BufferState;
  readonly wraps: boolean;
  readonly sold: bigint;
  readonly bought: bigint;
  /** Amount of each token that the buffer holds, base units. */
  readonly heldOfSold: bigint;
  readonly heldOfBought: bigint;
}

/** State after a trade, and whether the buffer had to use the ERC-4626 vault. */
interface Traded {
  readonly next: BalancerV3BufferState;
  readonly short: boolean;
}

export function sideOf(state: BalancerV3BufferState, { sell }: Direction): Side {
  const [assets, shares] = [state.totalAssets + 1n, state.totalSupply + state.virtualShares];
  return sell === 0
    ? { state, wraps: true, sold: assets, bought: shares, heldOfSold: state.assets, heldOfBought: state.shares }
    : { state, wraps: false, sold: shares, bought: assets, heldOfSold: state.shares, heldOfBought: state.assets };
}

/** Amount that the ERC-4626 vault itself gives (previewDeposit, previewRedeem). */
function givenFor({ sold, bought }: Side, amount: bigint): bigint {
  return (amount * bought) / sold;
}

/** Amount that the ERC-4626 vault itself asks (previewMint, previewWithdraw). */
export function askedFor({ sold, bought }: Side, amount: bigint): bigint {
  return divRoundingUp(amount * sold, bought);
}

/** Payment of an exact-in swap: that of one unit less, minus one unit, so that the buffer loses nothing by rounding. */
export function paidFor(side: Side, sellAmount: bigint): bigint {
  return givenFor(side, sellAmount - 1n) - 1n;
}

/** Cost of an exact output: that of one unit more, plus one unit. */
export function costOf(side: Side, buyAmount: bigint): bigint {
  return askedFor(side, buyAmount + 1n) + 1n;
}

/** By how much of the sold token the buffer is away from holding as much of either token's worth. */
export function imbalanceOfSold(side: Side): bigint {
  return (side.heldOfSold - askedFor(side, side.heldOfBought)) / 2n;
}

/** Imbalance of the buffer in units of the bought token. */
function imbalanceOfBought({ sold, bought, heldOfSold, heldOfBought }: Side): bigint {
  return (heldOfBought - divRoundingUp(heldOfSold * bought, sold)) / 2n;
}

/**
 * A trade whose amounts are known (Vault.sol, _wrapWithBuffer and _unwrapWithBuffer). A buffer that holds less than is
 * bought has the vault wrap or unwrap what is sold, and what of its own is above one half of its worth. Undefined where
 * the vault would revert.
 */
export function traded(side: Side, exactIn: boolean, sellAmount: bigint, buyAmount: bigint): Traded | undefined {
  const { state, heldOfSold, heldOfBought } = side;
  if (heldOfBought >= buyAmount) {
    const next = held(side, state, heldOfSold + sellAmount, heldOfBought - buyAmount);
    return next && { next, short: false };
  }
  const [gone, come] = exactIn ? throughBySale(side, sellAmount) : throughByPurchase(side, buyAmount);
  if (gone < 0n || come < 0n) return undefined;
  const [into, out] = side.wraps ? [gone, 0n] : [0n, gone];
  if (into > state.maxDeposit || out > state.maxRedeem || out > state.totalSupply) return undefined;
  const { totalAssets, totalSupply } = state;
  const totals = side.wraps
    ? { totalAssets: totalAssets + gone, totalSupply: totalSupply + come }
    : { totalAssets: totalAssets - come, totalSupply: totalSupply - gone };
  const next = held(side, withTotals(state, totals), heldOfSold + sellAmount - gone, heldOfBought + come - buyAmount);
  return next && { next, short: true };
}

/** Amounts that go through the ERC-4626 vault by `deposit` or `redeem`. */
function throughBySale(side: Side, sellAmount: bigint): readonly [gone: bigint, come: bigint] {
  const gone = sellAmount + imbalanceOfSold(side);
  return [gone, givenFor(side, gone)];
}

/** Amounts that go through the ERC-4626 vault by `mint` or `withdraw`. */
function throughByPurchase(side: Side, buyAmount: bigint): readonly [gone: bigint, come: bigint] {
  const come = buyAmount - imbalanceOfBought(side);
  return [askedFor(side, come), come];
}

function held({ wraps }: Side, state: BalancerV3BufferState, ofSold: bigint, ofBought: bigint) {
  if (ofSold < 0n || ofBought < 0n || ofSold > MAX_UINT128 || ofBought > MAX_UINT128) return undefined;
  return wraps ? { ...state, assets: ofSold, shares: ofBought } : { ...state, assets: ofBought, shares: ofSold };
}
