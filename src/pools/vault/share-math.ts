import { MAX_UINT128, mulDivRoundingUp, smaller } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import { linearCurve } from "../float/linear-curve.ts";
import { MAX_TIMES_HELD } from "../float/most-asked.ts";
import {
  type Direction,
  isRejection,
  type PoolLimits,
  type PoolMath,
  type PoolQuote,
  type Rejection,
} from "../pool-math.ts";
import type { VaultTotals } from "../rate-totals.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { vaultGas } from "./gas.ts";

/** No sum of assets or shares above this is led to. */
const MOST = MAX_UINT128;

/** A rate as a ratio: so many assets for so many shares. */
export interface ShareRate {
  readonly assets: bigint;
  readonly shares: bigint;
}

/** An ERC-4626 vault at one time. */
export interface VaultAtTime extends VaultTotals {
  readonly rate: ShareRate;
  /** The most that the vault takes in one deposit, base units of the asset. */
  readonly maxDeposit: bigint;
}

/** The parts in which one kind of vault differs from another. */
interface VaultParts<S> {
  /** The vault at a time in Unix seconds, or why nobody can trade with it then. */
  at(state: S, time: bigint): VaultAtTime | Rejection;
  /** The state that a trade at this time leaves. */
  moved(state: S, totals: VaultTotals, time: bigint): S;
  /** Gas of a trade at this time beyond that of a plain vault. */
  extraGas(state: S, time: bigint): bigint;
}

/** One direction of a vault: its rate as sold against bought. */
interface Side {
  readonly sold: bigint;
  readonly bought: bigint;
}

/** An amount that is sold, or bought where it is an exact output. */
interface Trade {
  readonly direction: Direction;
  readonly amount: bigint;
  readonly exactOut: boolean;
}

/**
 * The maths of a vault whose rate does not depend on the amount, rounded for the vault; the asset is token 0, the share
 * token 1. Exact-in is `deposit` and `redeem`, exact-out `mint` and `withdraw`.
 */
export function shareMath<S>(parts: VaultParts<S>): PoolMath<S> {
  function vaultAt(state: S, direction: Direction, time: bigint): VaultAtTime | Rejection {
    return isOfTwo(direction) ? parts.at(state, time) : UNSUPPORTED;
  }

  function quoteOf(state: S, trade: Trade, time: bigint): PoolQuote<S> | Rejection {
    const { direction, amount, exactOut } = trade;
    if (amount <= 0n && isOfTwo(direction)) return TOO_SMALL;
    const vault = vaultAt(state, direction, time);
    if (isRejection(vault)) return vault;
    const { maxSell, maxBuy } = limitsOf(vault, direction);
    const most = exactOut ? maxBuy : maxSell;
    if (amount > most) return tooLarge(most);
    const { sold, bought } = sideOf(vault.rate, direction);
    const other = exactOut ? mulDivRoundingUp(amount, sold, bought) : (amount * bought) / sold;
    if (other === 0n) return TOO_SMALL;
    const next = parts.moved(state, totalsAfter(vault, trade, other), time);
    return { amount: other, gas: vaultGas(direction, exactOut) + parts.extraGas(state, time), next };
  }

  return {
    quoteExactIn: (state, direction, amount, time) => quoteOf(state, { direction, amount, exactOut: false }, time),

    quoteExactOut: (state, direction, amount, time) => quoteOf(state, { direction, amount, exactOut: true }, time),

    spotPrice(state, direction, time) {
      const vault = vaultAt(state, direction, time);
      if (isRejection(vault) || limitsOf(vault, direction).maxSell === 0n) return undefined;
      const { sold, bought } = sideOf(vault.rate, direction);
      return { num: bought, den: sold };
    },

    limits(state, direction, time) {
      const vault = vaultAt(state, direction, time);
      return isRejection(vault) ? NO_LIMITS : limitsOf(vault, direction);
    },

    curve(state, direction, time) {
      const vault = vaultAt(state, direction, time);
      if (isRejection(vault)) return undefined;
      const { sold, bought } = sideOf(vault.rate, direction);
      const { maxSell } = limitsOf(vault, direction);
      const more = parts.extraGas(state, time);
      const curve = linearCurve(Number(bought) / Number(sold), maxSell, vaultGas(direction, false) + more);
      return curve && { ...curve, gasToBuy: Number(vaultGas(direction, true) + more) };
    },
  };
}

/** The totals that a trade leaves; `other` is what the vault pays, or asks for an exact output. */
function totalsAfter(
  { totalAssets, totalSupply }: VaultTotals,
  { direction, amount, exactOut }: Trade,
  other: bigint,
): VaultTotals {
  const [sold, bought] = exactOut ? [other, amount] : [amount, other];
  return direction.sell === 0
    ? { totalAssets: totalAssets + sold, totalSupply: totalSupply + bought }
    : { totalAssets: totalAssets - bought, totalSupply: totalSupply - sold };
}

function sideOf({ assets, shares }: ShareRate, { sell }: Direction): Side {
  return sell === 0 ? { sold: assets, bought: shares } : { sold: shares, bought: assets };
}

/** Into the vault as much as it takes and a multiple of what it holds, out of it no more than all shares; neither beyond MOST. */
function limitsOf({ rate, totalAssets, totalSupply, maxDeposit }: VaultAtTime, direction: Direction): PoolLimits {
  const { sold, bought } = sideOf(rate, direction);
  if (direction.sell === 1) {
    const maxSell = smaller(totalSupply, smaller(MOST, (MOST * sold) / bought));
    const maxBuy = (maxSell * bought) / sold;
    return maxBuy === 0n ? NO_LIMITS : { maxSell, maxBuy };
  }
  const roomForAssets = MOST - totalAssets;
  const roomForShares = ((MOST - totalSupply) * sold) / bought;
  const most = [roomForAssets, roomForShares, maxDeposit, MAX_TIMES_HELD * totalAssets];
  const maxSell = most.reduce((low, each) => smaller(low, each));
  if (maxSell <= 0n) return NO_LIMITS;
  return { maxSell, maxBuy: (maxSell * bought) / sold };
}
