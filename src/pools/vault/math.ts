import { MAX_UINT128, mulDivRoundingUp } from "../../math/full-math.ts";
import { isOfTwo } from "../direction.ts";
import { linearCurve } from "../float/linear-curve.ts";
import { MAX_TIMES_HELD } from "../float/most-asked.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote } from "../pool-math.ts";
import { withTotals } from "../rate-totals.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { vaultGas } from "./gas.ts";
import type { VaultState } from "./state.ts";

/** No sum of assets or shares above this is led to. */
const MOST = MAX_UINT128;

/** Totals of one side, assets or shares, with the vault's virtual ones included: the rate is their ratio. */
interface Ratio {
  readonly sold: bigint;
  readonly bought: bigint;
}

/**
 * OpenZeppelin's ERC4626 (ERC4626.sol: _convertToShares, _convertToAssets): a rate that does not depend on the amount,
 * rounded for the vault. Exact-in is `deposit` and `redeem`, exact-out `mint` and `withdraw`.
 */
export const vaultMath: PoolMath<VaultState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const { maxSell: most } = limitsOf(state, direction);
    if (sellAmount > most) return tooLarge(most);
    const { sold, bought } = ratioOf(state, direction);
    const buyAmount = (sellAmount * bought) / sold;
    if (buyAmount === 0n) return TOO_SMALL;
    return moved(state, direction, { sellAmount, buyAmount, exactOut: false });
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const { maxBuy: most } = limitsOf(state, direction);
    if (buyAmount > most) return tooLarge(most);
    const { sold, bought } = ratioOf(state, direction);
    const sellAmount = mulDivRoundingUp(buyAmount, sold, bought);
    return moved(state, direction, { sellAmount, buyAmount, exactOut: true });
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction) || limitsOf(state, direction).maxSell === 0n) return undefined;
    const { sold, bought } = ratioOf(state, direction);
    return { num: bought, den: sold };
  },

  limits: limitsOf,

  curve(state, direction) {
    const { sold, bought } = ratioOf(state, direction);
    const { maxSell } = limitsOf(state, direction);
    const curve = linearCurve(Number(bought) / Number(sold), maxSell, vaultGas(direction, false));
    return curve && { ...curve, gasToBuy: Number(vaultGas(direction, true)) };
  },
};

function ratioOf({ totalAssets, totalSupply, virtualShares }: VaultState, { sell }: Direction): Ratio {
  const [assets, shares] = [totalAssets + 1n, totalSupply + virtualShares];
  return sell === 0 ? { sold: assets, bought: shares } : { sold: shares, bought: assets };
}

/** Into the vault as much as it takes and a multiple of what it holds, out of it no more than all shares, and never the last asset. */
function limitsOf(state: VaultState, direction: Direction): PoolLimits {
  if (!isOfTwo(direction)) return NO_LIMITS;
  const { totalAssets, totalSupply, maxDeposit } = state;
  const { sold, bought } = ratioOf(state, direction);
  if (direction.sell === 1) return { maxSell: totalSupply, maxBuy: (totalSupply * bought) / sold };
  const roomForAssets = MOST - totalAssets;
  const roomForShares = ((MOST - totalSupply) * sold) / bought;
  const most = [roomForAssets, roomForShares, maxDeposit, MAX_TIMES_HELD * totalAssets];
  const maxSell = most.reduce((low, each) => (each < low ? each : low));
  if (maxSell <= 0n) return NO_LIMITS;
  return { maxSell, maxBuy: (maxSell * bought) / sold };
}

interface Moved {
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
  readonly exactOut: boolean;
}

function moved(
  state: VaultState,
  direction: Direction,
  { sellAmount, buyAmount, exactOut }: Moved,
): PoolQuote<VaultState> {
  const { totalAssets, totalSupply } = state;
  const next =
    direction.sell === 0
      ? { totalAssets: totalAssets + sellAmount, totalSupply: totalSupply + buyAmount }
      : { totalAssets: totalAssets - buyAmount, totalSupply: totalSupply - sellAmount };
  const amount = exactOut ? sellAmount : buyAmount;
  return { amount, gas: vaultGas(direction, exactOut), next: withTotals(state, next) };
}
