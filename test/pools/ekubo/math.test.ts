import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isConsistent, ofOneRange } from "../../../src/pools/ekubo/changes.ts";
import { extensionOf, feeOf, isToldOfSwaps, rangeOf, tickSpacingOf } from "../../../src/pools/ekubo/config.ts";
import { ekuboMath } from "../../../src/pools/ekubo/math.ts";
import {
  keptRatio,
  MAX_RATIO,
  MAX_TICK,
  MIN_RATIO,
  MIN_TICK,
  ratioAtTick,
  ratioOf,
  storedRatio,
  tickAtRatio,
} from "../../../src/pools/ekubo/ratio.ts";
import type { EkuboState } from "../../../src/pools/ekubo/state.ts";
import { ekuboWordEdge } from "../../../src/pools/ekubo/ticks.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { arbitraryEkubo, configOfRange, configWithSpacing } from "./arbitrary-ekubo.ts";

/** Worth of the lowest bit of a price, in what is bought, at the most liquidity of the pool. */
function worthOfLastBit(state: EkuboState, buysToken1: boolean): bigint {
  const { sqrtRatio, ticks } = state;
  const liquidity = ticks.reduce((sum, { liquidityGross }) => sum + liquidityGross, 0n);
  const bit = 1n << BigInt(Math.max(2, sqrtRatio.toString(2).length - 62));
  return buysToken1 ? (liquidity * bit) >> 128n : ((liquidity << 128n) * bit) / sqrtRatio / sqrtRatio;
}

poolContract("ekubo", {
  math: ekuboMath,
  states: arbitraryEkubo,
  directions: directionsOf(2),
  /** Exact-out rounds the price away from where it was, exact-in towards it. */
  exactOutExtra(state, { sell, buy }, sellAmount) {
    const rate = ekuboMath.curve(state, { sell, buy }, 0n)?.marginalRate(Number(sellAmount)) ?? 1;
    return 4n * worthOfLastBit(state, sell === 1) + BigInt(Math.ceil(4 / rate)) + 4n;
  },
  exactOutShort: (state, { sell }) => 2n * worthOfLastBit(state, sell === 0) + 2n,
  roundingOf(state, { sell, buy }, sellAmount) {
    const rate = ekuboMath.curve(state, { sell, buy }, 0n)?.marginalRate(Number(sellAmount)) ?? 1;
    return 16 * (2 + rate) * (1 + Number(worthOfLastBit(state, sell === 0)));
  },
});

describe("prices and ticks of Ekubo", () => {
  test("the ends of the scale are those that Core has", () => {
    expect(storedRatio(MIN_RATIO)).toBe(4_611_797_791_050_542_631n);
    expect(storedRatio(MAX_RATIO)).toBe(79_227_682_466_138_141_934_206_691_491n);
    expect(ratioAtTick(0)).toBe(1n << 128n);
    expect(() => ratioAtTick(MAX_TICK + 1)).toThrow(RangeError);
    expect(() => tickAtRatio(MIN_RATIO - 4n)).toThrow(RangeError);
  });

  test("a tick's price leads back to it, and the price below it to the tick below", () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_TICK + 1, max: MAX_TICK }), (tick) => {
        const ratio = ratioAtTick(tick);
        expect(tickAtRatio(ratio)).toBe(tick);
        expect(tickAtRatio(keptRatio(ratio - 1n, false) as bigint)).toBe(tick - 1);
        expect(ratioOf(storedRatio(ratio))).toBe(ratio);
      }),
      { numRuns: 300 },
    );
  });

  test("prices keep their highest bits, rounded down or up, over the edges of regions too", () => {
    expect(keptRatio((1n << 96n) - 1n, false)).toBe((1n << 96n) - 4n);
    expect(keptRatio((1n << 96n) - 1n, true)).toBe(1n << 96n);
    expect(keptRatio((1n << 128n) + 1n, true)).toBe((1n << 128n) + (1n << 66n));
    expect(keptRatio(1n << 192n, false)).toBeUndefined();
  });
});

describe("pools of Ekubo", () => {
  test("a config is read as Core reads it", () => {
    const extension = 0x517e506700271aea091b02f42756f5e174af5230n;
    const config = (extension << 96n) | configWithSpacing(3_000n, 5_982);
    expect(extensionOf(config)).toBe("0x517e506700271aea091b02f42756f5e174af5230");
    expect(isToldOfSwaps(config)).toBe(true);
    // beforeSwap and afterSwap are the second and the third bit.
    for (const [first, told] of [
      [0x9f, false],
      [0x40, true],
      [0x20, true],
    ] as const)
      expect(isToldOfSwaps(BigInt(first) << 248n)).toBe(told);
    expect(feeOf(config)).toBe(55_340_232_221_128_654n);
    expect(tickSpacingOf(config)).toBe(5_982);
    expect(tickSpacingOf(configOfRange(100n, 0, 0))).toBeUndefined();
    expect(rangeOf(configOfRange(100n, 0, 0))).toEqual({ lower: MIN_TICK, upper: MAX_TICK });
    const width = MAX_TICK >> 10;
    expect(rangeOf(configOfRange(100n, 10, -5))).toEqual({ lower: -80 - width, upper: -80 + width });
  });

  test("words of the bitmap begin where the tick 0 is the 128th of one", () => {
    expect(ekuboWordEdge(0, 1_000, true)).toBe(-127_000);
    expect(ekuboWordEdge(0, 1_000, false)).toBe(128_000);
    expect(ekuboWordEdge(128_000, 1_000, false)).toBe(384_000);
    expect(ekuboWordEdge(-127_001, 1_000, true)).toBe(-383_000);
  });

  test("liquidity outside of the only range is not active, and a swap moves to the range first", () => {
    const config = configOfRange(300n, 10, 0);
    const { lower, upper } = rangeOf(config);
    const liquidity = 10n ** 20n;
    const below = ofOneRange(config, { sqrtRatio: ratioAtTick(lower - 500), tick: lower - 500, liquidity });
    expect(below.liquidity).toBe(0n);
    expect(isConsistent(below)).toBe(true);
    expect(ekuboMath.quoteExactIn(below, { sell: 0, buy: 1 }, 10n ** 15n, 0n)).toMatchObject({
      rejected: "NO_LIQUIDITY",
    });
    const quote = ekuboMath.quoteExactIn(below, { sell: 1, buy: 0 }, 10n ** 15n, 0n);
    if (isRejection(quote)) throw new Error(quote.rejected);
    expect(quote.next.tick).toBeGreaterThanOrEqual(lower);
    expect(quote.next.tick).toBeLessThan(upper);
    expect(quote.next.liquidity).toBe(liquidity);
  });

  test("what does not belong together is no state", () => {
    const [state] = fc.sample(
      arbitraryEkubo.filter(({ ticks, liquidity }) => ticks.length > 2 && liquidity > 0n),
      {
        numRuns: 1,
        seed: 5,
      },
    );
    expect(isConsistent(state!)).toBe(true);
    expect(isConsistent({ ...state!, liquidity: state!.liquidity + 1n })).toBe(false);
    expect(isConsistent({ ...state!, tick: state!.tick + 2 })).toBe(false);
    expect(isConsistent({ ...state!, sqrtRatio: state!.sqrtRatio + 1n })).toBe(false);
    expect(isConsistent({ ...state!, ticks: state!.ticks.slice(1) })).toBe(false);
    expect(isConsistent({ ...state!, config: 1n << 31n })).toBe(false);
  });
});
