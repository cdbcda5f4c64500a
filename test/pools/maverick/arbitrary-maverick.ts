import fc from "fast-check";
import { ONE, sqrtPriceAt } from "../../../src/pools/maverick/price.ts";
import type { MaverickState, MaverickTick } from "../../../src/pools/maverick/state.ts";

const SPACINGS = [1, 10, 50, 198, 2_000] as const;

/** A row of ticks around the price, some of them empty, whose bins stay; each is worth a thousandth to all of as much. */
export const maverickPools: fc.Arbitrary<MaverickState> = fc
  .record({
    tickSpacing: fc.constantFrom(...SPACINGS),
    place: fc.double({ min: -1, max: 1, noNaN: true }),
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 18)),
    worth: fc.integer({ min: 0, max: 8 }).map((digits) => 10n ** BigInt(18 + digits)),
    parts: fc.array(fc.option(fc.integer({ min: 1, max: 1_000 }), { freq: 6 }), { minLength: 3, maxLength: 12 }),
    active: fc.nat({ max: 11 }),
    held: fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 1, max: 1_000 })),
    fees: fc.tuple(fee(), fee()),
    protocolPart: fc.constantFrom(0, 100, 250),
  })
  .map(({ tickSpacing, place, decimals, worth, parts, active, held, fees, protocolPart }) => {
    const activeTick = Math.round((place * 40_000) / tickSpacing);
    const first = activeTick - (active % parts.length);
    const ticks = parts.flatMap((part, at): MaverickTick[] => {
      const index = first + at;
      const price = sqrtPriceAt(tickSpacing, index) as bigint;
      const b = ((part ?? 0) * Number(worth)) / 1_000;
      const a = (b * Number(price) ** 2) / 1e36;
      const [partOfA, partOfB] = index === activeTick ? held : index < activeTick ? [1_000, 0] : [0, 1_000];
      const [reserveA, reserveB] = [a * partOfA, b * partOfB].map((amount) => BigInt(Math.floor(amount / 1_000)));
      return reserveA === 0n && reserveB === 0n
        ? []
        : [{ index, reserveA: reserveA as bigint, reserveB: reserveB as bigint }];
    });
    const scales = decimals.map((digits) => 10n ** BigInt(18 - digits)) as [bigint, bigint];
    return { tickSpacing, activeTick, fees, protocolPart, scales, ticks };
  });

function fee() {
  return fc.constantFrom(0n, 10n ** 13n, 3n * 10n ** 15n, ONE / 10n);
}
