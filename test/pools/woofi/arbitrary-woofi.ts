import fc from "fast-check";
import type { WooBase, WooState } from "../../../src/pools/woofi/state.ts";

const PRICE_UNIT = 10n ** 8n;

/** Prices from a cent to a hundred thousand in eight decimals. */
const price = fc.integer({ min: 60, max: 130 }).map((tenths) => BigInt(Math.floor(10 ** (tenths / 10))));

function baseOf(quoteUnit: bigint): fc.Arbitrary<WooBase> {
  return fc.record({
    unit: fc.constantFrom(10n ** 6n, 10n ** 8n, 10n ** 18n),
    price,
    spread: fc.constantFrom(0n, 10n ** 13n, 25n * 10n ** 13n, 3n * 10n ** 16n),
    coeff: fc.constantFrom(0n, 10n ** 8n, 36n * 10n ** 8n, 10n ** 12n),
    feeRate: fc.constantFrom(0n, 5n, 25n),
    maxGamma: fc.constantFrom(5n * 10n ** 14n, 3n * 10n ** 15n, 10n ** 18n),
    maxNotional: fc.constantFrom(50_000n * quoteUnit, 10n ** 6n * quoteUnit, 10n ** 9n * quoteUnit),
  });
}

/** Pools of three base tokens, each worth a thousand to ten million. */
export const wooPools: fc.Arbitrary<WooState> = fc.constantFrom(10n ** 6n, 10n ** 18n).chain((quoteUnit) =>
  fc
    .record({
      bases: fc.tuple(baseOf(quoteUnit), baseOf(quoteUnit), baseOf(quoteUnit)),
      worth: fc.array(fc.integer({ min: 1_000, max: 10_000_000 }), { minLength: 4, maxLength: 4 }),
      spreads: fc.constantFrom("halved" as const, "own" as const),
    })
    .map(({ bases, worth, spreads }) => ({
      ...{ quoteUnit, priceUnit: PRICE_UNIT, bases, spreads },
      reserves: [
        BigInt(worth[0]!) * quoteUnit,
        ...bases.map((base, i) => (BigInt(worth[i + 1]!) * base.unit * PRICE_UNIT) / base.price + 1n),
      ],
    })),
);
