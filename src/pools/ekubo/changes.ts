import { MAX_UINT128 } from "../../math/full-math.ts";
import { activeLiquidityAt } from "../concentrated/changes.ts";
import type { Tick } from "../concentrated/state.ts";
import { activeBy, withEdge } from "../concentrated/ticks.ts";
import { isPossibleConfig, rangeOf, type TickRange, tickSpacingOf } from "./config.ts";
import { keptRatio, MAX_RATIO, MAX_TICK, MIN_RATIO, MIN_TICK, ratioAtTick, tickAtRatio } from "./ratio.ts";
import type { EkuboState } from "./state.ts";

/** Price, tick and liquidity of a pool, which Core stores in one word. */
export interface EkuboHead {
  readonly sqrtRatio: bigint;
  readonly tick: number;
  /** Active liquidity; of a pool with one range all of it, active or not. */
  readonly liquidity: bigint;
}

/** The state of a pool with one range. */
export function ofOneRange(config: bigint, { sqrtRatio, tick, liquidity }: EkuboHead): EkuboState {
  const { lower, upper } = rangeOf(config);
  const edge = (index: number, liquidityNet: bigint): Tick => ({ index, liquidityNet, liquidityGross: liquidity });
  const ticks = liquidity === 0n ? [] : [edge(lower, liquidity), edge(upper, -liquidity)];
  return { sqrtRatio, tick, liquidity: lower <= tick && tick < upper ? liquidity : 0n, config, ticks };
}

/** After a swap to `head`; undefined where no swap could get there. */
export function swapped(state: EkuboState, head: EkuboHead): EkuboState | undefined {
  if (!standsAt(head.sqrtRatio, head.tick)) return undefined;
  if (tickSpacingOf(state.config) === undefined)
    return head.liquidity === liquidityOf(state) ? ofOneRange(state.config, head) : undefined;
  return activeLiquidityAt(state, head.tick) === head.liquidity ? { ...state, ...head } : undefined;
}

/** After a position of a range has grown by `delta`, or shrunk, to `head`; undefined where it could not get there. */
export function positionChanged(
  state: EkuboState,
  { lower, upper }: TickRange,
  delta: bigint,
  head: EkuboHead,
): EkuboState | undefined {
  const tickSpacing = tickSpacingOf(state.config);
  if (head.sqrtRatio !== state.sqrtRatio || head.tick !== state.tick) return undefined;
  if (tickSpacing === undefined)
    return head.liquidity === liquidityOf(state) + delta ? ofOneRange(state.config, head) : undefined;
  if (lower >= upper || lower < MIN_TICK || upper > MAX_TICK) return undefined;
  if (lower % tickSpacing !== 0 || upper % tickSpacing !== 0) return undefined;
  const most = maxLiquidityPerTick(tickSpacing);
  const below = withEdge(state.ticks, lower, delta, delta, most);
  const ticks = below && withEdge(below, upper, delta, -delta, most);
  const isActive = lower <= state.tick && state.tick < upper;
  if (ticks === undefined || head.liquidity !== state.liquidity + (isActive ? delta : 0n)) return undefined;
  return { ...state, liquidity: head.liquidity, ticks };
}

/** All liquidity of a pool with one range. */
function liquidityOf({ ticks }: EkuboState): bigint {
  return ticks.at(0)?.liquidityGross ?? 0n;
}

/** Whether everything that Core keeps consistent is so. */
export function isConsistent(state: EkuboState): boolean {
  const { ticks, config, sqrtRatio, tick } = state;
  if (!isPossibleConfig(config) || state.liquidity > MAX_UINT128 || !standsAt(sqrtRatio, tick)) return false;
  const tickSpacing = tickSpacingOf(config);
  if (tickSpacing === undefined && !isOneRange(config, ticks)) return false;
  const scale = { lowest: MIN_TICK, highest: MAX_TICK, tickSpacing: tickSpacing ?? 1 };
  return activeBy(ticks, tick, scale) === state.liquidity;
}

/** Whether these are the ends of the range of a pool, or there are none. */
function isOneRange(config: bigint, ticks: readonly Tick[]): boolean {
  const { lower, upper } = rangeOf(config);
  const [first, second] = ticks;
  if (first === undefined || second === undefined) return ticks.length === 0;
  return (
    ticks.length === 2 && first.index === lower && second.index === upper && first.liquidityNet === first.liquidityGross
  );
}

/** Whether a pool at this price can hold this tick: a swap that ends on a tick from above leaves the tick below it. */
function standsAt(sqrtRatio: bigint, tick: number): boolean {
  if (sqrtRatio < MIN_RATIO || sqrtRatio > MAX_RATIO || keptRatio(sqrtRatio, false) !== sqrtRatio) return false;
  const exact = tickAtRatio(sqrtRatio);
  return tick === exact || (tick === exact - 1 && ratioAtTick(exact) === sqrtRatio);
}

/** The most liquidity that may begin or end at one tick. */
function maxLiquidityPerTick(tickSpacing: number): bigint {
  return MAX_UINT128 / BigInt(1 + 2 * Math.floor(MAX_TICK / tickSpacing));
}
