import fc from "fast-check";
import { MAX_TICK, sqrtRatioAtTick, tickAtSqrtRatio } from "../../../src/math/tick-math.ts";
import { positionChanged } from "../../../src/pools/concentrated/changes.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import { swap } from "../../../src/pools/concentrated/swap.ts";
import type { PoolContractCase } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

/** Random pools, and what the contract of PoolMath allows them. */

export const positions = fc.array(
  fc.record({
    offset: fc.integer({ min: -120, max: 80 }),
    width: fc.integer({ min: 1, max: 200 }),
    liquidity: amountOfBits(40).map((amount) => amount << 50n),
  }),
  { minLength: 2, maxLength: 8 },
);

/** Pools as positions make them; a third stand exactly on a tick, some have a position over the whole range. */
export const states: fc.Arbitrary<ConcentratedState> = fc
  .record({
    pool: fc.constantFrom([100, 1], [500, 10], [3000, 60], [10000, 200]) as fc.Arbitrary<readonly [number, number]>,
    middle: fc.integer({ min: -500, max: 500 }),
    inside: fc.integer({ min: -500, max: 999 }),
    whole: fc.integer({ min: 0, max: 3 }),
    positions,
  })
  .map(({ pool: [feePpm, tickSpacing], middle, inside, whole, positions }) => {
    const low = sqrtRatioAtTick(middle * tickSpacing);
    const high = sqrtRatioAtTick((middle + 1) * tickSpacing);
    const sqrtPriceX96 = low + ((high - low) * BigInt(Math.max(0, inside))) / 1000n;
    const tick = tickAtSqrtRatio(sqrtPriceX96);
    let state: ConcentratedState = { sqrtPriceX96, tick, liquidity: 0n, feePpm, tickSpacing, ticks: [] };
    for (const { offset, width, liquidity } of positions) {
      const lower = (middle + offset) * tickSpacing;
      state = positionChanged(state, lower, lower + width * tickSpacing, liquidity) ?? state;
    }
    const reach = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
    if (whole === 0) state = positionChanged(state, -reach, reach, 10n ** 18n) ?? state;
    return state;
  });

export const ofConcentrated: PoolContractCase<ConcentratedState> = {
  math: concentratedMath,
  states,
  directions: directionsOf(2),
  /** Exact-out goes on to the next tick for the last wei; that wei's price is the most that it costs in vain. */
  exactOutExtra(state, direction, sellAmount) {
    const rate = concentratedMath.curve(state, direction, 0n)?.marginalRate(Number(sellAmount)) ?? 1;
    return 1n + BigInt(Math.ceil(2 / rate));
  },
  /** Every step may lose a unit, and as much as one step of the price is worth, of what goes in and of what comes out. */
  roundingOf(state, { sell }, sellAmount) {
    const { wordsRead, amountIn, amountOut } = swap(state, sell === 0, true, sellAmount);
    const most = Number(state.ticks.reduce((sum, { liquidityGross }) => sum + liquidityGross, state.liquidity));
    const price = Number(state.sqrtPriceX96) / 2 ** 96;
    const ofPrice = sell === 0 ? most / 2 ** 96 : most / price / price / 2 ** 96;
    const ofInput = (2 * Number(amountOut)) / Number(amountIn) + (sell === 0 ? price * price : 1 / (price * price));
    return (wordsRead + 1) * (1 + 2 * ofPrice + ofInput);
  },
};
