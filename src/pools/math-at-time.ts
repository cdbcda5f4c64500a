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
  /** Number of its tokens. Absent: that of its balances. */
  tokensOf?(state: State): number;
  /** The pool at a time in Unix seconds, or why nobody can trade with it then. */
  stateAt(state: State, time: bigint): StateAt | Rejection;
  /** The most that it takes at once; base units. */
  maxSell(moment: StateAt, direction: Direction): bigint;
  /** The most that it gives at once. Absent or undefined: what the largest sale pays. */
  maxBuy?(moment: StateAt, direction: Direction): bigint | undefined;
  /** For an amount within the limits. */
  soldExactly(moment: StateAt, direction: Direction, sellAmount: bigint): PoolQuote<State> | Rejection;
  /** Quote for an exact output. Absent: the contract cannot be asked for one. */
  boughtExactly?(moment: StateAt, direction: Direction, buyAmount: bigint): PoolQuote<State> | Rejection;
  spotOf(moment: StateAt, direction: Direction): ReturnType<PoolMath<State>["spotPrice"]>;
  /** In floats, up to `most` base units sold, which is above zero. */
  curveOf(moment: StateAt, direction: Direction, most: number): PoolCurve | undefined;
}

/** The maths of such a pool: directions, amounts and times that cannot be are refused before its parts are asked. */
export function mathAtTime<State extends { readonly balances: readonly bigint[] }, StateAt extends object>(
  parts: Parts<State, StateAt>,
): PoolMath<State> {
  const { boughtExactly, tokensOf = ({ balances }) => balances.length } = parts;

  function isOf(state: State, { sell, buy }: Direction): boolean {
    const isToken = (index: number) => Number.isInteger(index) && index >= 0 && index < tokensOf(state);
    return sell !== buy && isToken(sell) && isToken(buy);
  }

  function stateAt(state: State, direction: Direction, time: bigint): StateAt | Rejection {
    return isOf(state, direction) ? parts.stateAt(state, time) : UNSUPPORTED;
  }

  function limitsOf(moment: StateAt, direction: Direction): PoolLimits {
    const maxSell = parts.maxSell(moment, direction);
    if (maxSell === 0n) return NO_LIMITS;
    const maxBuy = parts.maxBuy?.(moment, direction);
    if (maxBuy !== undefined) return { maxSell, maxBuy };
    const largest = parts.soldExactly(moment, direction, maxSell);
    return isRejection(largest) ? NO_LIMITS : { maxSell, maxBuy: largest.amount };
  }

  return {
    ...(boughtExactly === undefined && { servesExactOut: () => false }),

    quoteExactIn(state, direction, sellAmount, time) {
      if (sellAmount <= 0n && isOf(state, direction)) return TOO_SMALL;
      const moment = stateAt(state, direction, time);
      if (isRejection(moment)) return moment;
      const most = parts.maxSell(moment, direction);
      return sellAmount > most ? tooLarge(most) : parts.soldExactly(moment, direction, sellAmount);
    },

    quoteExactOut(state, direction, buyAmount, time) {
      if (buyAmount <= 0n && isOf(state, direction)) return TOO_SMALL;
      if (boughtExactly === undefined) return UNSUPPORTED;
      const moment = stateAt(state, direction, time);
      if (isRejection(moment)) return moment;
      const { maxBuy } = limitsOf(moment, direction);
      return buyAmount > maxBuy ? tooLarge(maxBuy) : boughtExactly(moment, direction, buyAmount);
    },

    spotPrice(state, direction, time) {
      const moment = stateAt(state, direction, time);
      return isRejection(moment) ? undefined : parts.spotOf(moment, direction);
    },

    limits(state, direction, time) {
      const moment = stateAt(state, direction, time);
      return isRejection(moment) ? NO_LIMITS : limitsOf(moment, direction);
    },

    curve(state, direction, time) {
      const moment = stateAt(state, direction, time);
      if (isRejection(moment)) return undefined;
      const most = Number(parts.maxSell(moment, direction));
      return most === 0 ? undefined : parts.curveOf(moment, direction, most);
    },
  };
}
