import fc from "fast-check";
import { squareRoot } from "../../../src/math/square-root.ts";
import { collateralReserves, debtReserves, type PriceRange } from "../../../src/pools/fluid/reserves.ts";
import type { FluidState, PerToken } from "../../../src/pools/fluid/state.ts";

const PRICE_ONE = 10n ** 27n;

/** A range of prices around a centre: parts of a million above and below. */
export function rangeAround(center: bigint, above: bigint, below: bigint): PriceRange {
  const upper = (center * 10n ** 6n) / (10n ** 6n - above);
  const lower = (center * (10n ** 6n - below)) / 10n ** 6n;
  return { mean: squareRoot(upper * lower), upper, lower };
}

/** Difference between a token's decimals and twelve. */
export function scaleOf(decimals: number): { readonly up: bigint; readonly down: bigint } {
  return { up: 10n ** BigInt(Math.max(0, 12 - decimals)), down: 10n ** BigInt(Math.max(0, decimals - 12)) };
}

/** Pools worth a hundred thousand to a hundred million of one token, in every state that a range and two amounts can have. */
export const fluidPools: fc.Arbitrary<FluidState> = fc
  .record({
    kind: fc.constantFrom("collateral", "debt", "both"),
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 8, 18)),
    center: fc.constantFrom(PRICE_ONE, (PRICE_ONE * 117n) / 100n, (PRICE_ONE * 98n) / 100n, PRICE_ONE * 2_140n),
    width: fc.tuple(fc.constantFrom(500n, 3_000n, 100_000n), fc.constantFrom(500n, 5_000n, 200_000n)),
    size: fc.double({ min: 5, max: 8, noNaN: true }),
    share: fc.tuple(fc.double({ min: 0.1, max: 0.9, noNaN: true }), fc.double({ min: 0.1, max: 0.9, noNaN: true })),
    fee: fc.constantFrom(50n, 100n, 3_000n),
    revenueCut: fc.constantFrom(0n, 10n, 100n),
    room: fc.constantFrom(3n, 1_000n),
  })
  .map(({ kind, decimals, center, width, size, share, fee, revenueCut, room }) => {
    const range = rangeAround(center, ...width);
    const worth = 10 ** (size + 12);
    const amounts = (part: number): PerToken => [
      BigInt(Math.floor((worth * part * 1e9) / (Number(center) / 1e18))),
      BigInt(Math.floor(worth * (1 - part))),
    ];
    const scales = decimals.map(scaleOf) as [ReturnType<typeof scaleOf>, ReturnType<typeof scaleOf>];
    const units = (values: PerToken): PerToken => [
      (values[0] * scales[0].down) / scales[0].up,
      (values[1] * scales[1].down) / scales[1].up,
    ];
    const supplies = amounts(share[0]);
    const collateral = kind === "debt" ? undefined : collateralReserves(range, supplies);
    // Debts of one price with the collateral, about.
    const debt = kind === "collateral" ? undefined : debtReserves(range, amounts(1 - share[kind === "both" ? 0 : 1]));
    const traded = collateral ?? debt;
    const price = traded === undefined ? 1n : (traded.imaginary[1] * PRICE_ONE) / traded.imaginary[0];
    const all = units(amounts(0.5));
    const large = all.map((amount) => amount * room) as [bigint, bigint];
    return {
      ...{ up: [scales[0].up, scales[1].up], down: [scales[0].down, scales[1].down] },
      ...{ fee, revenueCut, centerPrice: center, lastPrices: [price] },
      ...(collateral && { collateral }),
      ...(debt && { debt }),
      ...{ withdrawable: units(supplies), borrowable: all, owed: large, supplied: large, borrowed: all },
      ...{ mostUtilized: [10_000n, 9_500n], mostBorrowed: [10_000n, 9_000n] },
    } satisfies FluidState;
  })
  .filter(({ collateral, debt }) => collateral !== undefined || debt !== undefined);
