import fc from "fast-check";
import { ofOneRange, positionChanged } from "../../../src/pools/ekubo/changes.ts";
import { rangeOf } from "../../../src/pools/ekubo/config.ts";
import { keptRatio, ratioAtTick, tickAtRatio } from "../../../src/pools/ekubo/ratio.ts";
import type { EkuboState } from "../../../src/pools/ekubo/state.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

/** A part of 2^64. */
const feeOf = (ppm: bigint) => (ppm << 64n) / 1_000_000n;

/** Config of a pool whose positions lie anywhere. */
export function configWithSpacing(feePpm: bigint, tickSpacing: number): bigint {
  return (feeOf(feePpm) << 32n) | (1n << 31n) | BigInt(tickSpacing);
}

/** Config of a pool with one range; `center` is in steps of 16 ticks. */
export function configOfRange(feePpm: bigint, amplification: number, center: number): bigint {
  return (feeOf(feePpm) << 32n) | (BigInt(amplification) << 24n) | BigInt.asUintN(24, BigInt(center));
}

const positions = fc.array(
  fc.record({
    offset: fc.integer({ min: -120, max: 80 }),
    width: fc.integer({ min: 1, max: 200 }),
    liquidity: amountOfBits(40).map((amount) => amount << 50n),
  }),
  { minLength: 2, maxLength: 8 },
);

const place = fc.record({
  middle: fc.integer({ min: -300, max: 300 }),
  inside: fc.integer({ min: -500, max: 999 }),
});

/** The price between two ticks; on the lower one where `inside` is below zero. */
function priceBetween(lower: number, upper: number, inside: number): bigint {
  const [low, high] = [ratioAtTick(lower), ratioAtTick(upper)];
  return keptRatio(low + ((high - low) * BigInt(Math.max(0, inside))) / 1_000n, false) as bigint;
}

const spread: fc.Arbitrary<EkuboState> = fc
  .record({
    terms: fc.constantFrom([100n, 200], [500n, 1_000], [3_000n, 5_982], [10_000n, 19_802]) as fc.Arbitrary<
      readonly [bigint, number]
    >,
    place,
    positions,
  })
  .map(({ terms: [feePpm, tickSpacing], place: { middle, inside }, positions: all }) => {
    const sqrtRatio = priceBetween(middle * tickSpacing, (middle + 1) * tickSpacing, inside);
    const config = configWithSpacing(feePpm, tickSpacing);
    let state: EkuboState = { sqrtRatio, tick: tickAtRatio(sqrtRatio), liquidity: 0n, config, ticks: [] };
    for (const { offset, width, liquidity } of all) {
      const lower = (middle + offset) * tickSpacing;
      const range = { lower, upper: lower + width * tickSpacing };
      const isActive = range.lower <= state.tick && state.tick < range.upper;
      const head = { ...state, liquidity: state.liquidity + (isActive ? liquidity : 0n) };
      state = positionChanged(state, range, liquidity, head) ?? state;
    }
    return state;
  });

const ofRange: fc.Arbitrary<EkuboState> = fc
  .record({
    amplification: fc.constantFrom(0, 0, 3, 8, 13),
    center: fc.integer({ min: -60_000, max: 60_000 }),
    at: fc.double({ min: -1.2, max: 1.2, noNaN: true }),
    size: amountOfBits(50).map((amount) => amount + 1n),
  })
  .map(({ amplification, center, at, size }) => {
    // Over the whole scale an amount is up to 2^64 times the liquidity.
    const liquidity = amplification === 0 ? size : size << 40n;
    const config = configOfRange(300n, amplification, amplification === 0 ? 0 : center);
    const { lower, upper } = rangeOf(config);
    const scale = amplification === 0 ? 0.1 : 1;
    const tick = Math.round((lower + upper) / 2 + ((upper - lower) / 2) * at * scale);
    const sqrtRatio = ratioAtTick(tick);
    return ofOneRange(config, { sqrtRatio, tick: tickAtRatio(sqrtRatio), liquidity });
  });

/** Pools as positions make them, and pools with one range; a third stand exactly on a tick. */
export const arbitraryEkubo: fc.Arbitrary<EkuboState> = fc.oneof({ arbitrary: spread, weight: 2 }, ofRange);
