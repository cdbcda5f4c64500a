import type { PoolMath } from "./pool-math.ts";

/** One token against another at one to one, without limit and without fee: a wrapper of the native token. */
export interface FixedRateState {
  /** Gas of one conversion. */
  readonly gas: bigint;
}

const ONE_TO_ONE = { num: 1n, den: 1n };
const UNLIMITED = (1n << 256n) - 1n;

/** One to one: what goes in comes out (WETH9 deposit and withdraw). */
export const fixedRateMath: PoolMath<FixedRateState> = {
  quoteExactIn: (state, _direction, sellAmount) => ({ amount: sellAmount, gas: state.gas, next: state }),
  quoteExactOut: (state, _direction, buyAmount) => ({ amount: buyAmount, gas: state.gas, next: state }),
  spotPrice: () => ONE_TO_ONE,
  limits: () => ({ maxSell: UNLIMITED, maxBuy: UNLIMITED }),
  curve: (state) => ({
    marginalRate: () => 1,
    buyAmountFor: (sellAmount) => sellAmount,
    sellAmountAtRate: (rate) => (rate < 1 ? Number.POSITIVE_INFINITY : 0),
    maxSell: Number.POSITIVE_INFINITY,
    gas: Number(state.gas),
    concave: true,
  }),
};
