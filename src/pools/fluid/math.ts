import { isOfTwo } from "../direction.ts";
import type { Direction, PoolLimits, PoolMath, PoolQuote } from "../pool-math.ts";
import { belowMinimum, NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { fluidCurve } from "./curve.ts";
import { type DirectedPool, directedPool } from "./directed-pool.ts";
import { fluidGas } from "./gas.ts";
import type { FluidState } from "./state.ts";
import { leastOf, mostScaled, type Swapped, swapIn, swapOut } from "./swap.ts";

/**
 * Fluid's DEX T1 (FluidDexT1.sol: _swapIn, _swapOut): collateral and debt are two constant products within a range of prices,
 * and a swap is shared out so that both end with one price. Amounts are counted in twelve decimals and rounded down at every step,
 * what is sold for an exact output too. What a pool pays is exact for the block that it was read at; interest and shifts of the
 * price go on from there. Less of either token than a millionth is not traded.
 */
export const fluidMath: PoolMath<FluidState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const pool = directedPool(state, direction);
    if (pool === undefined) return NO_LIQUIDITY;
    const swapped = swapIn(pool, sellAmount);
    if (swapped === "TOO_LARGE") return tooLarge(mostSold(pool));
    if (swapped !== "TOO_SMALL") return quoteOf(pool, swapped, false);
    const least = leastOf(pool, pool.sell);
    return sellAmount < least ? belowMinimum("sold", least) : belowMinimum("bought", leastOf(pool, pool.buy));
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const pool = directedPool(state, direction);
    if (pool === undefined) return NO_LIQUIDITY;
    const swapped = swapOut(pool, buyAmount);
    if (swapped === "TOO_LARGE") return tooLarge(mostBought(pool));
    if (swapped !== "TOO_SMALL") return quoteOf(pool, swapped, true);
    const least = leastOf(pool, pool.buy);
    return buyAmount < least ? belowMinimum("bought", least) : TOO_SMALL;
  },

  spotPrice(state, direction) {
    const pool = directedPool(state, direction);
    if (pool === undefined) return undefined;
    const { sell, buy, collateral, debt } = pool;
    const { up, down, fee } = state;
    const first = collateral ?? debt;
    if (first === undefined) return undefined;
    const second = debt ?? first;
    const better = first.bought * second.sold >= second.bought * first.sold ? first : second;
    if (better.sold === 0n || better.bought === 0n) return undefined;
    return {
      num: better.bought * (10n ** 6n - fee) * down[buy] * up[sell],
      den: better.sold * 10n ** 6n * up[buy] * down[sell],
    };
  },

  limits(state, direction): PoolLimits {
    const pool = directedPool(state, direction);
    return pool === undefined ? NO_LIMITS : { maxSell: mostSold(pool), maxBuy: mostBought(pool) };
  },

  curve(state, direction: Direction) {
    const pool = directedPool(state, direction);
    if (pool === undefined) return undefined;
    const [toSell, toBuy] = [false, true].map((exactOut) => Number(gasOf(pool, exactOut))) as [number, number];
    return fluidCurve(pool, mostSold(pool), { toSell, toBuy });
  },
};

function quoteOf(pool: DirectedPool, { sold, bought }: Swapped, exactOut: boolean): PoolQuote<FluidState> {
  return { amount: exactOut ? sold : bought, gas: gasOf(pool, exactOut), next: { ...pool.state, spent: true } };
}

/** Small swaps through the better side alone take less, of which nothing is known beforehand. */
function gasOf({ collateral, debt }: DirectedPool, exactOut: boolean): bigint {
  return fluidGas(collateral !== undefined && debt !== undefined ? 2 : 1, exactOut);
}

/** The most that can be sold. Amounts that are the same in twelve decimals are sold alike. */
function mostSold(pool: DirectedPool): bigint {
  const step = pool.state.down[pool.sell];
  const steps = mostSteps(pool, "sold");
  return steps === 0n ? 0n : (steps + 1n) * step - 1n;
}

/** The most that can be bought. */
function mostBought(pool: DirectedPool): bigint {
  return pool.state.down[pool.buy] * mostSteps(pool, "bought");
}

/** Largest multiple of a token's `down` that is served, found by halving. */
function mostSteps(pool: DirectedPool, of: "sold" | "bought"): bigint {
  const [token, swap] = of === "sold" ? [pool.sell, swapIn] : [pool.buy, swapOut];
  const step = pool.state.down[token];
  let [low, high] = [0n, mostScaled(pool, of) / pool.state.up[token] + 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (swap(pool, middle * step) !== "TOO_LARGE") low = middle;
    else high = middle;
  }
  return low;
}
