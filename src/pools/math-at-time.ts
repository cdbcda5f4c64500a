import {
  type Direction,
  isRejection,
  type PoolCurve,
  type PoolLimits,
  type PoolMath,
  type PoolQuote,
  type Rejection,
} from "./pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "./rejections.ts";

/** Parts of the maths of a pool whose state has to be brought to a time first. */
interface Parts<State, StateAt> {
  /** Number of its tokens. */
  tokenCount(state: State): number;
  /** The pool at a time in Unix seconds, or why nobody can trade with it then. */
  stateAt(state: State, time: bigint): StateAt | Rejection;
  /** The most that it takes at once; base units. */
  maxSell(current: StateAt, direction: Direction): bigint;
  /** The most that it gives at once. Absent or undefined: what the largest exact-in swap pays. */
  maxBuy?(current: StateAt, direction: Direction): bigint | undefined;
  /** For an amount within the limits. */
  soldExactly(current: StateAt, direction: Direction, sellAmount: bigint): PoolQuote<State> | Rejection;
  /** Quote for an exact output. Absent: the contract cannot be asked for one. */
  boughtExactly?(current: StateAt, direction: Direction, buyAmount: bigint): PoolQuote<State> | Rejection;
  spotOf(current: StateAt, direction: Direction): ReturnType<PoolMath<State>["spotPrice"]>;
  /** In floats, up to `most` base units sold, which is above zero. */
  curveOf(current: StateAt, direction: Direction, most: number): PoolCurve | undefined;
}

/** The maths of such a pool: directions, amounts and times that cannot be are refused before its parts are asked. */
export function mathAtTime<State, StateAt extends object>(parts: Parts<State, StateAt>): PoolMath<State> {
  const { boughtExactly } = parts;

  function isOf(state: State, { sell, buy }: Direction): boolean {
    const isToken = (index: number) => Number.isInteger(index) && index >= 0 && index < parts.tokenCount(state);
    return sell !== buy && isToken(sell) && isToken(buy);
  }

  function stateAt(state: State, direction: Direction, time: bigint): StateAt | Rejection {
    return isOf(state, direction) ? parts.stateAt(state, time) : UNSUPPORTED;
  }

  function limitsOf(current: StateAt, direction: Direction): PoolLimits {
    const maxSell = parts.maxSell(current, direction);
    if (maxSell === 0n) return NO_LIMITS;
    const maxBuy = parts.maxBuy?.(current, direction);
    if (maxBuy !== undefined) return { maxSell, maxBuy };
    const largest = parts.soldExactly(current, direction, maxSell);
    return isRejection(largest) ? NO_LIMITS : { maxSell, maxBuy: largest.amount };
  }

  return {
    ...(boughtExactly === undefined && { servesExactOut: () => false }),

    quoteExactIn(state, direction, sellAmount, time) {
      if (sellAmount <= 0n && isOf(state, direction)) return TOO_SMALL;
      const current = stateAt(state, direction, time);
      if (isRejection(current)) return current;
      const most = parts.maxSell(current, direction);
      return sellAmount > most ? tooLarge(most) : parts.soldExactly(current, direction, sellAmount);
    },

    quoteExactOut(state, direction, buyAmount, time) {
      if (buyAmount <= 0n && isOf(state, direction)) return TOO_SMALL;
      if (boughtExactly === undefined) return UNSUPPORTED;
      const current = stateAt(state, direction, time);
      if (isRejection(current)) return current;
      const { maxBuy } = limitsOf(current, direction);
      return buyAmount > maxBuy ? tooLarge(maxBuy) : boughtExactly(current, direction, buyAmount);
    },

    spotPrice(state, direction, time) {
      const current = stateAt(state, direction, time);
      return isRejection(current) ? undefined : parts.spotOf(current, direction);
    },

    limits(state, direction, time) {
      const current = stateAt(state, direction, time);
      return isRejection(current) ? NO_LIMITS : limitsOf(current, direction);
    },

    curve(state, direction, time) {
      const current = stateAt(state, direction, time);
      if (isRejection(current)) return undefined;
      const most = Number(parts.maxSell(current, direction));
      return most === 0 ? undefined : parts.curveOf(current, direction, most);
    },
  };
}
