import fc from "fast-check";
import { expect, test } from "vitest";
import { concentrated } from "../../../src/pools/concentrated/concentrated.ts";
import { currentFee, falls, leavesSomething, settled, stateAt } from "../../../src/pools/concentrated/falling-fee.ts";
import { impossibleConcentrated } from "../../../src/pools/concentrated/impossible.ts";
import { concentratedMath } from "../../../src/pools/concentrated/math.ts";
import type { ConcentratedState, FallingFee, SwapHook } from "../../../src/pools/concentrated/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY } from "../../../src/pools/rejections.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { ofConcentrated, states } from "./states.ts";

/** The most that a swap of Uniswap V4 counts. */
const MOST = (1n << 127n) - 1n;
const START = 1_800_000_000;

const feeOf = (most: number): fc.Arbitrary<FallingFee> =>
  fc
    .record({
      whole: fc.constantFrom(800_000, 1_000_000),
      fees: fc.tuple(fc.nat(most), fc.nat(most)),
      seconds: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
    })
    .map(({ whole, fees, seconds }) => {
      const [startFee, endFee] = [Math.max(...fees), Math.min(...fees)];
      return { whole, startFee, endFee, startTime: START, seconds };
    });

const hookWith = (falling: FallingFee): SwapHook => ({
  ...{ charges: "unspecified", token0InPpm: [], token1InPpm: [], gas: 150_000, mostGas: 900_000, falling },
});

const hooked = (fees: fc.Arbitrary<FallingFee>): fc.Arbitrary<ConcentratedState> =>
  fc.tuple(states, fees).map(([state, fee]) => ({ ...state, hook: hookWith(fee), mostMoved: MOST }));

poolContract("concentrated, with a fee that falls", {
  ...ofConcentrated,
  states: hooked(feeOf(500_000)),
  exactOutShort: (state, direction) => concentratedMath.limits(state, direction, 0n).maxBuy,
  exactOutExtra: (state, direction, sellAmount) => 2n + ofConcentrated.exactOutExtra(state, direction, sellAmount),
  // The fee is rounded down by up to a base unit of what is bought.
  feeRounding(state, direction) {
    const spot = concentratedMath.spotPrice(state, direction, 0n);
    return spot === undefined ? 2n : 3n + spot.den / spot.num;
  },
  roundingOf: (state, direction, sellAmount) => 4 + 2 * ofConcentrated.roundingOf(state, direction, sellAmount),
});

test("a fee falls evenly from its start to its end, rounded in favour of who takes it", () => {
  const fee = { whole: 800_000, startFee: 800_000, endFee: 11_200, startTime: START, seconds: 10 };
  const at = (seconds: number) => currentFee(fee, BigInt(START + seconds));
  expect([-1, 0, 1, 5, 9, 10, 1_000].map(at)).toEqual([800_000, 800_000, 721_120, 405_600, 90_080, 11_200, 11_200]);
  const thirds = { ...fee, startFee: 10, endFee: 0, seconds: 3 };
  expect([1, 2].map((seconds) => currentFee(thirds, BigInt(START + seconds)))).toEqual([7, 4]);
  const times = fc.tuple(fc.nat(200_000), fc.nat(200_000)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(feeOf(800_000), times, (each, [sooner, later]) => {
      const [before, after] = [sooner, later].map((seconds) => currentFee(each, BigInt(START - 50_000 + seconds)));
      expect(before).toBeGreaterThanOrEqual(after!);
      expect(after).toBeGreaterThanOrEqual(each.seconds === 0 ? each.startFee : each.endFee);
      const time = BigInt(START + later);
      expect(currentFee(settled(each, time), time)).toBe(currentFee(each, time));
      if (later >= each.seconds) expect(falls(settled(each, time))).toBe(false);
    }),
    { seed: 41, numRuns: 2_000 },
  );
});

test("quotes at a time are those of a fee that stays what it is then, which is what a search sees", () => {
  let traded = 0;
  fc.assert(
    fc.property(
      hooked(feeOf(800_000)),
      fc.constantFrom(...directionsOf(2)),
      fc.nat(120_000),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      (state, direction, seconds, part) => {
        const time = BigInt(START + seconds);
        const then = stateAt(state, time);
        const limits = concentratedMath.limits(state, direction, time);
        expect(concentratedMath.limits(then, direction, 0n)).toEqual(limits);
        const amount = BigInt(Math.floor(Number(limits.maxSell) * part));
        for (const ask of ["quoteExactIn", "quoteExactOut"] as const) {
          const quote = concentratedMath[ask](state, direction, amount, time);
          const still = concentratedMath[ask](then, direction, amount, 0n);
          expect(isRejection(still) ? still : { ...still, next: {} }).toEqual(
            isRejection(quote) ? quote : { ...quote, next: {} },
          );
          if (!isRejection(quote)) traded++;
        }
        expect(concentrated.timeless(then)).toBe(true);
      },
    ),
    { seed: 42, numRuns: 300 },
  );
  expect(traded).toBeGreaterThan(200);
});

test("a fee that takes all leaves nothing to trade until it has fallen", () => {
  const all = { whole: 800_000, startFee: 800_000, endFee: 8_000, startTime: START, seconds: 10 };
  fc.assert(
    fc.property(hooked(fc.constant(all)), fc.constantFrom(...directionsOf(2)), (state, direction) => {
      const before = BigInt(START);
      expect(concentratedMath.limits(state, direction, before)).toEqual(NO_LIMITS);
      expect(concentratedMath.curve(state, direction, before)).toBeUndefined();
      expect(concentratedMath.spotPrice(state, direction, before)).toBeUndefined();
      expect(concentratedMath.quoteExactIn(state, direction, 1_000n, before)).toEqual(NO_LIQUIDITY);
      expect(concentratedMath.quoteExactOut(state, direction, 1_000n, before)).toEqual(NO_LIQUIDITY);
      expect(impossibleConcentrated(state)).toBe(
        impossibleConcentrated({ ...state, hook: hookWith({ ...all, startFee: 9_000 }) }),
      );
    }),
    { seed: 43, numRuns: 50 },
  );
  expect(leavesSomething(all)).toBe(true);
  for (const wrong of [
    { endFee: 800_001 },
    { startFee: 800_001 },
    { endFee: 800_000 },
    { seconds: 0 },
    { endFee: -1 },
    { whole: 0.5 },
  ])
    expect(leavesSomething({ ...all, ...wrong }), JSON.stringify(wrong)).toBe(false);
});
