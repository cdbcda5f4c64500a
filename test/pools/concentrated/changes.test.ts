import { expect, test } from "vitest";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { initialized, isConsistent, positionChanged, swapped } from "../../../src/pools/concentrated/changes.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import { maxLiquidityPerTick } from "../../../src/pools/concentrated/ticks.ts";

const unborn: ConcentratedState = {
  ...{ sqrtPriceX96: 0n, tick: 0, liquidity: 0n, feePpm: 3000, tickSpacing: 60, ticks: [] },
};
const empty = initialized(unborn, sqrtRatioAtTick(0), 0) as ConcentratedState;
const pool = positionChanged(empty, -120, 180, 1_000n) as ConcentratedState;

test("a first price is taken once, and with its own tick only", () => {
  expect(initialized(unborn, sqrtRatioAtTick(5), 5)).toMatchObject({ tick: 5 });
  expect(initialized(unborn, sqrtRatioAtTick(5), 7)).toBeUndefined();
  expect(initialized(unborn, 1n, 0)).toBeUndefined();
  expect(initialized(empty, sqrtRatioAtTick(0), 0)).toBeUndefined();
});

test("a position must stand on the spacing, within the scale, and be there to be taken out", () => {
  expect(positionChanged(pool, -119, 180, 1n)).toBeUndefined();
  expect(positionChanged(pool, 180, -120, 1n)).toBeUndefined();
  expect(positionChanged(pool, -887_280, 180, 1n)).toBeUndefined();
  expect(positionChanged(pool, -120, 180, -1_001n)).toBeUndefined();
  expect(positionChanged(pool, -60, 180, -1n)).toBeUndefined();
  expect(positionChanged(pool, -120, 240, -1_000n)).toBeUndefined();
  expect(positionChanged(pool, -120, 180, maxLiquidityPerTick(60))).toBeUndefined();
  expect(positionChanged(pool, -120, 180, maxLiquidityPerTick(60) - 1_000n)).toBeDefined();
  expect(positionChanged(unborn, -120, 180, 1n)).toBeUndefined();
});

test("a position that holds the price is active, one beside it is not", () => {
  expect(pool.liquidity).toBe(1_000n);
  expect(positionChanged(pool, 0, 60, 5n)?.liquidity).toBe(1_005n);
  expect(positionChanged(pool, -60, 0, 5n)?.liquidity).toBe(1_000n);
  expect(positionChanged(pool, 60, 120, 5n)?.liquidity).toBe(1_000n);
  expect(positionChanged(pool, -120, 180, 0n)).toBe(pool);
});

test("a swap must leave the liquidity of the ticks that it crossed, at a tick of its price", () => {
  expect(swapped(pool, sqrtRatioAtTick(100), 1_000n, 100)).toMatchObject({ tick: 100, liquidity: 1_000n });
  expect(swapped(pool, sqrtRatioAtTick(200), 0n, 200)).toMatchObject({ tick: 200, liquidity: 0n });
  expect(swapped(pool, sqrtRatioAtTick(200), 1_000n, 200)).toBeUndefined();
  expect(swapped(pool, sqrtRatioAtTick(100), 999n, 100)).toBeUndefined();
  expect(swapped(pool, sqrtRatioAtTick(100), 1_000n, 101)).toBeUndefined();
  expect(swapped(unborn, sqrtRatioAtTick(0), 0n, 0)).toBeUndefined();
});

test("a swap that ends on a tick from above leaves the tick below it", () => {
  expect(swapped(pool, sqrtRatioAtTick(-120), 0n, -121)).toMatchObject({ tick: -121, liquidity: 0n });
  expect(swapped(pool, sqrtRatioAtTick(-120) + 1n, 0n, -121)).toBeUndefined();
});

test("unchanged ticks are shared, and nothing is changed in place", () => {
  const before = structuredClone(pool);
  const after = positionChanged(pool, -60, 60, 7n) as ConcentratedState;
  expect(pool).toEqual(before);
  expect(after.ticks[0]).toBe(pool.ticks[0]);
  expect(swapped(pool, sqrtRatioAtTick(1), 1_000n, 1)?.ticks).toBe(pool.ticks);
});

test("a state that was read wrong does not add up", () => {
  expect(isConsistent(pool)).toBe(true);
  expect(isConsistent(unborn)).toBe(true);
  expect(isConsistent({ ...pool, liquidity: 999n })).toBe(false);
  expect(isConsistent({ ...pool, tick: 3 })).toBe(false);
  expect(isConsistent({ ...pool, ticks: pool.ticks.slice(1) })).toBe(false);
  expect(isConsistent({ ...pool, ticks: pool.ticks.toReversed() })).toBe(false);
  expect(isConsistent({ ...pool, ticks: [] })).toBe(false);
  expect(isConsistent({ ...pool, tickSpacing: 0 })).toBe(false);
  expect(isConsistent({ ...unborn, liquidity: 1n })).toBe(false);
});
