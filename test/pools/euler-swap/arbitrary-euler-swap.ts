import fc from "fast-check";
import { smaller } from "../../../src/math/full-math.ts";
import { ONE } from "../../../src/pools/euler-swap/branch.ts";
import { partnerOf } from "../../../src/pools/euler-swap/math.ts";
import type { EulerSwapState } from "../../../src/pools/euler-swap/state.ts";

/** Pools of a thousand to a hundred million worth of either token at their equilibrium, traded away from it or not. */
export const eulerSwapPools: fc.Arbitrary<EulerSwapState> = fc
  .record({
    version: fc.constantFrom("v1" as const, "v2" as const),
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 18)),
    price: fc.integer({ min: -30, max: 40 }).map((tenths) => 10 ** (tenths / 10)),
    worth: fc.integer({ min: 1_000, max: 100_000_000 }).map(BigInt),
    concentrations: fc.tuple(
      ...[0, 1].map(() => fc.constantFrom(0n, ONE / 10n, (9n * ONE) / 10n, ONE - 10n ** 13n, ONE)),
    ),
    /** The token below its equilibrium, and thousandths that are left of it. */
    below: fc.constantFrom(0 as const, 1 as const),
    left: fc.integer({ min: 50, max: 1_000 }).map(BigInt),
    fees: fc.tuple(...[0, 1].map(() => fc.constantFrom(0n, 25n * 10n ** 12n, 3n * 10n ** 15n, ONE / 20n))),
    /** Thousandths of the equilibrium that the vaults take in or pay out: never all of a reserve. */
    allowed: fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 1, max: 3_000 }).map(BigInt))),
  })
  .map(({ version, decimals, price, worth, concentrations, below, left, fees, allowed }) => {
    const [unit0, unit1] = decimals.map((digits) => 10n ** BigInt(digits)) as [bigint, bigint];
    const parts = BigInt(Math.round(price * 1e4));
    const scaled = [parts * unit1, 10_000n * unit0] as const;
    const largest = scaled[0] > scaled[1] ? scaled[0] : scaled[1];
    const prices = scaled.map((value) => (largest > 10n ** 24n ? value / 10n ** 6n + 1n : value)) as [bigint, bigint];
    const equilibrium = [worth * unit0 + 1_000n, (worth * unit0 * prices[0]) / prices[1] + 1_000n] as const;
    const limit = (index: number) => (equilibrium[(index % 2) as 0 | 1] * allowed[index]!) / 1_000n;
    const pool: EulerSwapState = {
      ...{ version, equilibrium, prices, reserves: equilibrium },
      concentrations: [concentrations[0]!, concentrations[1]!],
      fees: [fees[0]!, fees[1]!],
      maxIn: [limit(0), limit(1)],
      maxOut: [limit(2), limit(3)],
    };
    const held = (equilibrium[below] * left) / 1_000n + 1n;
    const reserve = held > equilibrium[below] ? equilibrium[below] : held;
    const other = partnerOf(pool, below, reserve)!;
    const reserves = below === 0 ? ([reserve, other] as const) : ([other, reserve] as const);
    const [out0, out1] = pool.maxOut.map((most, token) => smaller(most, (reserves[token as 0 | 1] * 999n) / 1_000n));
    return { ...pool, reserves, maxOut: [out0 as bigint, out1 as bigint] };
  });
