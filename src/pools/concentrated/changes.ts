import { MAX_UINT128 } from "../../math/full-math.ts";
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from "../../math/tick-math.ts";
import { swapFeePpm } from "./fee.ts";
import type { LiquidityState } from "./path.ts";
import type { ConcentratedState } from "./state.ts";
import { activeBy, countUpTo, maxLiquidityPerTick, withEdge } from "./ticks.ts";

/** The changes that a pool's own events tell of. Each answers undefined where no contract could get there from `state`. */

/** A pool that has no price yet gets its first one. */
export function initialized(
  state: ConcentratedState,
  sqrtPriceX96: bigint,
  tick: number,
): ConcentratedState | undefined {
  if (state.sqrtPriceX96 !== 0n || !standsAt(sqrtPriceX96, tick)) return undefined;
  return { ...state, sqrtPriceX96, tick };
}

/** A swap has moved the price; the active liquidity must be what the crossed ticks make of it. */
export function swapped(
  state: ConcentratedState,
  sqrtPriceX96: bigint,
  liquidity: bigint,
  tick: number,
): ConcentratedState | undefined {
  if (state.sqrtPriceX96 === 0n || !standsAt(sqrtPriceX96, tick)) return undefined;
  if (activeLiquidityAt(state, tick) !== liquidity) return undefined;
  return { ...state, sqrtPriceX96, liquidity, tick };
}

/** A position from `lower` to `upper` grows by `delta`, or shrinks where `delta` is below zero. */
export function positionChanged(
  state: ConcentratedState,
  lower: number,
  upper: number,
  delta: bigint,
): ConcentratedState | undefined {
  if (delta === 0n) return state;
  if (state.sqrtPriceX96 === 0n || lower >= upper || lower < MIN_TICK || upper > MAX_TICK) return undefined;
  if (lower % state.tickSpacing !== 0 || upper % state.tickSpacing !== 0) return undefined;
  const most = maxLiquidityPerTick(state.tickSpacing);
  const below = withEdge(state.ticks, lower, delta, delta, most);
  const ticks = below && withEdge(below, upper, delta, -delta, most);
  if (ticks === undefined) return undefined;
  const active = lower <= state.tick && state.tick < upper;
  const liquidity = active ? state.liquidity + delta : state.liquidity;
  if (liquidity < 0n || liquidity > MAX_UINT128) return undefined;
  return { ...state, ticks, liquidity };
}

/** Whether everything that a contract keeps consistent is so: for states that were read rather than followed. */
export function isConsistent(state: ConcentratedState): boolean {
  const { ticks, tick, tickSpacing, sqrtPriceX96 } = state;
  if (tickSpacing <= 0 || !hasFees(state)) return false;
  const active = activeBy(ticks, tick, { lowest: MIN_TICK, highest: MAX_TICK, tickSpacing });
  if (active === undefined) return false;
  if (sqrtPriceX96 === 0n) return ticks.length === 0 && state.liquidity === 0n;
  return standsAt(sqrtPriceX96, tick) && active === state.liquidity;
}

/** Whether a swap leaves something after its fees, both ways: the maths divide by that. */
export function hasFees(state: ConcentratedState): boolean {
  return state.feePpm >= 0 && [true, false].every((zeroForOne) => swapFeePpm(state, zeroForOne) < 1_000_000);
}

/** Whether a pool at this price can hold this tick: a swap that ends on a tick from above leaves the tick below it. */
function standsAt(sqrtPriceX96: bigint, tick: number): boolean {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) return false;
  const exact = tickAtSqrtRatio(sqrtPriceX96);
  return tick === exact || (tick === exact - 1 && sqrtRatioAtTick(exact) === sqrtPriceX96);
}

/** Active liquidity once the ticks between the pool's tick and `tick` have been crossed. */
export function activeLiquidityAt({ ticks, tick: from, liquidity }: LiquidityState, tick: number): bigint {
  const start = countUpTo(ticks, from);
  const end = countUpTo(ticks, tick);
  const crossed = ticks.slice(Math.min(start, end), Math.max(start, end));
  const net = crossed.reduce((sum, { liquidityNet }) => sum + liquidityNet, 0n);
  return end >= start ? liquidity + net : liquidity - net;
}
