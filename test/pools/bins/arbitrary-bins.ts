import fc from "fast-check";
import type { Bin, BinsState, VolatilityFee } from "../../../src/pools/bins/state.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const MIDDLE = 1 << 23;

/** Terms as pairs have them: fees up to some hundredths, and never above a tenth. */
const fees: fc.Arbitrary<VolatilityFee> = fc
  .record({
    baseFactor: fc.integer({ min: 0, max: 10_000 }),
    filterPeriod: fc.constantFrom(0, 10, 30),
    decayPeriod: fc.constantFrom(30, 120, 600),
    reductionFactor: fc.integer({ min: 0, max: 10_000 }),
    variableFeeControl: fc.constantFrom(0, 7_500, 20_000, 40_000),
    protocolShare: fc.integer({ min: 0, max: 2_500 }),
    maxVolatilityAccumulator: fc.integer({ min: 0, max: 350_000 }),
    volatilityAccumulator: fc.integer({ min: 0, max: 350_000 }),
    volatilityReference: fc.integer({ min: 0, max: 350_000 }),
    age: fc.integer({ min: 0, max: 700 }),
  })
  .map(({ age, ...fee }) => ({
    ...{ ...fee, idReference: 0, timeOfLastUpdate: 1_700_000_000n - BigInt(age) },
    volatilityAccumulator: Math.min(fee.volatilityAccumulator, fee.maxVolatilityAccumulator),
    volatilityReference: Math.min(fee.volatilityReference, fee.maxVolatilityAccumulator),
  }));

/** Pools whose bins lie around the active one, with gaps: Y below it, X above, both in it, and sometimes none in it. */
export const arbitraryBins: fc.Arbitrary<BinsState> = fc
  .record({
    binStep: fc.constantFrom(1, 5, 10, 20, 25, 50, 100),
    /** The price of the active bin, as a power of ten. */
    price: fc.double({ min: -9, max: 9, noNaN: true }),
    reference: fc.integer({ min: -40, max: 40 }),
    offsets: fc.uniqueArray(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 24 }),
    amounts: fc.array(amountOfBits(90), { minLength: 25, maxLength: 25 }),
    other: amountOfBits(90),
    fee: fees,
  })
  .map(({ binStep, price, reference, offsets, amounts, other, fee }) => {
    const activeId = MIDDLE + Math.round((price * Math.LN10) / Math.log1p(binStep / 10_000));
    const bins = offsets
      .sort((a, b) => a - b)
      .map((offset, i): Bin => {
        const amount = amounts[i] as bigint;
        const [reserveX, reserveY] = offset > 0 ? [amount, 0n] : offset < 0 ? [0n, amount] : [other, amount];
        return { id: activeId + offset, reserveX, reserveY };
      });
    return { binStep, activeId, bins, fee: { ...fee, idReference: activeId + reference } };
  });
