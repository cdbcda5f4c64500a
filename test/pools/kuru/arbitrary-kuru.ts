import fc from "fast-check";
import type { KuruLevel, KuruSide, KuruState } from "../../../src/pools/kuru/state.ts";

const WAD = 10n ** 18n;

interface Shape {
  readonly middle: bigint;
  readonly prices: bigint;
  readonly spread: bigint;
  readonly steps: readonly number[];
  readonly sizes: readonly bigint[];
  readonly vaultSize: bigint;
  readonly filled: number;
  readonly more: boolean;
}

/** One side of a market around its middle. */
function sideOf(isBid: boolean, { middle, prices, spread, steps, sizes, vaultSize, filled, more }: Shape): KuruSide {
  const levels: KuruLevel[] = [];
  let price = middle;
  for (const [index, step] of steps.entries()) {
    price += (isBid ? -1n : 1n) * BigInt(step);
    if (price > 0n) levels.push({ price, size: sizes[index] as bigint });
  }
  const ask = (middle * WAD) / prices + 1n;
  const vault = {
    price: isBid ? (ask * 10_000n + (10_000n + spread) / 2n) / (10_000n + spread) : ask,
    size: vaultSize,
    filled: (vaultSize * BigInt(filled)) / 10n,
  };
  return { levels, ...(more && levels.length > 0 && { more: true as const }), ...(vaultSize > 0n && { vault }) };
}

const size = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 5 }))
  .map(([digits, power]) => BigInt(digits) * 10n ** BigInt(power));

function shape(isBid: boolean) {
  return fc
    .record({
      steps: fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 9 }),
      sizes: fc.array(size, { minLength: 9, maxLength: 9 }),
      vaultSize: size,
      filled: fc.integer({ min: 0, max: 9 }),
      more: fc.boolean(),
    })
    .map((made) => (terms: Pick<Shape, "middle" | "prices" | "spread">) => sideOf(isBid, { ...made, ...terms }));
}

/** Markets with levels and mostly a vault on both sides. */
export const kuruMarkets: fc.Arbitrary<KuruState> = fc
  .record({
    decimals: fc.tuple(fc.constantFrom(6, 8, 18), fc.constantFrom(6, 18)),
    digits: fc.tuple(fc.integer({ min: 2, max: 10 }), fc.integer({ min: 2, max: 9 })),
    middle: fc.bigInt(10_000n, 40_000_000n),
    takerFee: fc.constantFrom(0, 1, 10, 50),
    spread: fc.integer({ min: 1, max: 49 }).map((tens) => 10 * tens),
    bid: shape(true),
    ask: shape(false),
  })
  .map(({ decimals, digits, middle, takerFee, spread, bid, ask }) => {
    const prices = 10n ** BigInt(digits[1]);
    const terms = { middle, prices, spread: BigInt(spread) };
    return {
      units: [10n ** BigInt(decimals[0]), 10n ** BigInt(decimals[1])],
      precisions: [10n ** BigInt(digits[0]), prices],
      ...{ takerFee, spread, bidSide: bid(terms), askSide: ask(terms) },
    };
  });
