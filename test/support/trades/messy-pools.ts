import { createRandom } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";

const E18 = 10n ** 18n;
const TOKENS = Array.from({ length: 9 }, (_, i) => addressOf(i + 1));
const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
const AMOUNT = 30n * E18;

/** A sale and a purchase between two of the tokens that messy pools hold. */
export const MESSY_SALE = { kind: "exactIn", sellToken, buyToken, sellAmount: AMOUNT } as const;
export const MESSY_PURCHASE = { kind: "exactOut", sellToken, buyToken, buyAmount: AMOUNT } as const;

/** Pairs whose prices stand off each other by up to a tenth. */
export function messyPools(seed: number) {
  const random = createRandom(seed);
  return Array.from({ length: 45 }, (_, n) => {
    const [a, b] = [random.below(9), random.below(8)];
    const size = BigInt(1 + random.below(1_000)) * E18;
    const off = BigInt(9_000 + random.below(2_000));
    return pairOf(n + 1, [TOKENS[a]!, TOKENS[b < a ? b : b + 1]!], [size, (size * off) / 10_000n]);
  });
}
