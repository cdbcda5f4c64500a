import fc from "fast-check";
import { withTargets } from "../../../src/pools/dodo/side.ts";
import type { DodoState } from "../../../src/pools/dodo/state.ts";

const ONE = 10n ** 18n;
/** A part of 10^18 of this many thousandths. */
const thousandths = (value: number) => (BigInt(value) * ONE) / 1_000n;

/** Pools of a thousand to a hundred million worth of either token, on either side of their targets or on neither. */
export const dodoPools: fc.Arbitrary<DodoState> = fc
  .record({
    kind: fc.constantFrom("DVM" as const, "targets" as const),
    r: fc.constantFrom("ONE" as const, "ABOVE_ONE" as const, "BELOW_ONE" as const),
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 18)),
    price: fc.integer({ min: -30, max: 40 }).map((tenths) => BigInt(Math.floor(10 ** (18 + tenths / 10)))),
    worth: fc.integer({ min: 1_000, max: 100_000_000 }).map(BigInt),
    k: fc.constantFrom(0n, 10n ** 14n, 2n * 10n ** 17n, 9n * 10n ** 17n, ONE),
    off: fc.integer({ min: 1, max: 900 }),
    lpFee: fc.constantFrom(0n, 10n ** 14n, 24n * 10n ** 14n),
    maintainerFee: fc.constantFrom(0n, 6n * 10n ** 14n),
  })
  .map(({ kind, r, decimals, price, worth, k, off, lpFee, maintainerFee }) => {
    const [baseUnit, quoteUnit] = decimals.map((digits) => 10n ** BigInt(digits)) as [bigint, bigint];
    const i = (price * quoteUnit) / baseUnit + 1n;
    const targets = [(worth * baseUnit * ONE) / price + 1_000n, worth * quoteUnit] as const;
    const terms = { i, k, lpFee, maintainerFee };
    const less = (amount: bigint) => amount - (amount * thousandths(off)) / ONE;
    const more = (amount: bigint) => amount + (amount * thousandths(off)) / (2n * ONE);
    const state: DodoState =
      kind === "DVM"
        ? {
            ...terms,
            kind,
            r: "ABOVE_ONE",
            reserves: [less(targets[0]), (targets[1] * thousandths(off)) / ONE],
            targets: [0n, 0n],
          }
        : {
            ...{ ...terms, kind, r, targets },
            reserves:
              r === "ONE"
                ? targets
                : r === "ABOVE_ONE"
                  ? [less(targets[0]), more(targets[1])]
                  : [more(targets[0]), less(targets[1])],
          };
    return withTargets(state) as DodoState;
  });
