import { MAX_UINT128, mulDivRoundingUp, smaller } from "../../math/full-math.ts";
import { linearCurve } from "../float/linear-curve.ts";
import { MAX_TIMES_HELD } from "../float/most-asked.ts";
import { mathAtTime } from "../math-at-time.ts";
import { type Direction, isRejection, type PoolLimits, type PoolMath, type Rejection } from "../pool-math.ts";
import type { VaultTotals } from "../rate-totals.ts";
import { NO_LIMITS, TOO_SMALL } from "../rejections.ts";
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
  /** The state that a trade with the vault at this time leaves. */
  moved(state: S, totals: VaultTotals, vault: VaultAtTime, time: bigint): S;
  /** Gas of a trade at this time beyond that of a plain vault. */
  extraGas(state: S, time: bigint): bigint;
}

/** A state with the vault that it is at a time. */
interface Current<S> {
  readonly state: S;
  readonly time: bigint;
  readonly vault: VaultAtTime;
}

/** One direction of a vault: its rate as sold against bought. */
interface Side {
  readonly sold: bigint;
  readonly bought: bigint;
}

/**
 * The maths of a vault whose rate does not depend on the amount, rounded for the vault; the asset is token 0, the share
 * token 1. Exact-in is `deposit` and `redeem`, exact-out `mint` and `withdraw`.
 */
export function shareMath<S>({ at, moved, extraGas }: VaultParts<S>): PoolMath<S> {
  const gasOf = ({ state, time }: Current<S>, direction: Direction, exactOut: boolean) =>
    vaultGas(direction, exactOut) + extraGas(state, time);

  function after({ state, time, vault }: Current<S>, { sell }: Direction, sold: bigint, bought: bigint): S {
    const { totalAssets, totalSupply } = vault;
    const totals =
      sell === 0
        ? { totalAssets: totalAssets + sold, totalSupply: totalSupply + bought }
        : { totalAssets: totalAssets - bought, totalSupply: totalSupply - sold };
    return moved(state, totals, vault, time);
  }

  return mathAtTime<S, Current<S>>({
    tokenCount: () => 2,
    stateAt(state, time) {
      const vault = at(state, time);
      return isRejection(vault) ? vault : { state, time, vault };
    },
    maxSell: ({ vault }, direction) => limitsOf(vault, direction).maxSell,
    maxBuy: ({ vault }, direction) => limitsOf(vault, direction).maxBuy,
    soldExactly(current, direction, sellAmount) {
      const { sold, bought } = sideOf(current.vault.rate, direction);
      const buyAmount = (sellAmount * bought) / sold;
      if (buyAmount === 0n) return TOO_SMALL;
      const next = after(current, direction, sellAmount, buyAmount);
      return { amount: buyAmount, gas: gasOf(current, direction, false), next };
    },
    boughtExactly(current, direction, buyAmount) {
      const { sold, bought } = sideOf(current.vault.rate, direction);
      const sellAmount = mulDivRoundingUp(buyAmount, sold, bought);
      const next = after(current, direction, sellAmount, buyAmount);
      return { amount: sellAmount, gas: gasOf(current, direction, true), next };
    },
    spotOf({ vault }, direction) {
      const { sold, bought } = sideOf(vault.rate, direction);
      return limitsOf(vault, direction).maxSell === 0n ? undefined : { num: bought, den: sold };
    },
    curveOf(current, direction) {
      const { sold, bought } = sideOf(current.vault.rate, direction);
      const { maxSell } = limitsOf(current.vault, direction);
      const curve = linearCurve(Number(bought) / Number(sold), maxSell, gasOf(current, direction, false));
      return curve && { ...curve, gasToBuy: Number(gasOf(current, direction, true)) };
    },
  });
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
  const maxSell = most.reduce(smaller);
  if (maxSell <= 0n) return NO_LIMITS;
  return { maxSell, maxBuy: (maxSell * bought) / sold };
}
