import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { divRoundingUp, MAX_UINT112 } from "../../math/full-math.ts";
import { mathAtTime } from "../math-at-time.ts";
import type { Direction, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, TOO_SMALL } from "../rejections.ts";
import { gyroCurve } from "./curve.ts";
import { gyroGas } from "./gas.ts";
import { spotOf } from "./spot.ts";
import type { GyroState } from "./state.ts";
import { type GyroAt, stateAt } from "./state-at.ts";
import { costOf, mostTaken, paidFor } from "./trade.ts";

type Answer = PoolQuote<GyroState> | Rejection;

/**
 * Gyroscope's pools in Balancer's V2 vault, as their `onSwap` computes them (Gyro2CLPPool.sol, Gyro3CLPPool.sol,
 * GyroECLPPool.sol): amounts are scaled by decimals and rates, the fee is taken of base units. The contracts round either kind
 * of quote for the pool, so that they are not each other's inverse.
 */
export const gyroMath: PoolMath<GyroState> = mathAtTime({
  tokenCount: ({ balances }) => balances.length,
  stateAt,
  maxSell,
  soldExactly,
  boughtExactly,
  spotOf,
  curveOf: (current, direction, most) =>
    gyroCurve(
      current,
      direction,
      most,
      [false, true].map((exactOut) => Number(gasOf(current.state, exactOut))),
    ),
});

function soldExactly(current: GyroAt, direction: Direction, sellAmount: bigint): Answer {
  const { state, factors } = current;
  const net = sellAmount - mulUp(sellAmount, state.swapFee);
  const scaled = paidFor(current, direction, mulDown(net, factors[direction.sell] as bigint));
  const buyAmount = divDown(scaled ?? 0n, factors[direction.buy] as bigint);
  if (buyAmount === 0n) return TOO_SMALL;
  return { amount: buyAmount, gas: gasOf(state, false), next: after(state, direction, sellAmount, buyAmount) };
}

function boughtExactly(current: GyroAt, direction: Direction, buyAmount: bigint): Answer {
  const { state, factors } = current;
  const scaled = costOf(current, direction, mulDown(buyAmount, factors[direction.buy] as bigint));
  if (scaled === undefined) return NO_LIQUIDITY;
  const sellAmount = divUp(divUp(scaled, factors[direction.sell] as bigint), complement(state.swapFee));
  if (sellAmount === 0n) return TOO_SMALL;
  if ((state.balances[direction.sell] as bigint) + sellAmount > MAX_UINT112) return NO_LIQUIDITY;
  return { amount: sellAmount, gas: gasOf(state, true), next: after(state, direction, sellAmount, buyAmount) };
}

/** The largest exact-in swap of which, without the fee, no more is left than the pool takes; or what the vault can count. */
function maxSell(current: GyroAt, direction: Direction): bigint {
  const { state, factors } = current;
  const taken = mostTaken(current, direction);
  if (taken <= 0n) return 0n;
  const net = divRoundingUp((taken + 1n) * ONE, factors[direction.sell] as bigint) - 1n;
  const most = divRoundingUp((net + 1n) * ONE, complement(state.swapFee)) - 1n;
  const room = MAX_UINT112 - (state.balances[direction.sell] as bigint);
  return most < room ? most : room > 0n ? room : 0n;
}

function gasOf({ kind, rated }: GyroState, exactOut: boolean): bigint {
  return gyroGas(kind, rated.filter(Boolean).length, exactOut);
}

function after(state: GyroState, { sell, buy }: Direction, sellAmount: bigint, buyAmount: bigint): GyroState {
  const balances = state.balances.map((balance, i) =>
    i === sell ? balance + sellAmount : i === buy ? balance - buyAmount : balance,
  );
  return { ...state, balances };
}
