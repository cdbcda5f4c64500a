import fc from "fast-check";
import { geometricMean } from "../../../src/pools/cryptoswap/geometric-mean.ts";
import { invariantOf } from "../../../src/pools/cryptoswap/newton.ts";
import type { CryptoswapState, TricryptoGeneration } from "../../../src/pools/cryptoswap/state.ts";

const ONE = 10n ** 18n;
const TIME = 1_700_000_000n;

const powerOf = (low: number, high: number) =>
  fc.double({ min: low, max: high, noNaN: true }).map((power) => BigInt(Math.floor(10 ** (power - 6) * 1e6)));

/** Pools as they are in use, some out of balance by a factor of a hundred, some on a ramp. */
export function cryptoswapPools(count: number, generation?: TricryptoGeneration): fc.Arbitrary<CryptoswapState> {
  const token = fc.record({
    decimals: fc.constantFrom(6, 8, 18),
    price: powerOf(14, 22),
    skew: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  return fc
    .record({
      tokens: fc.array(token, { minLength: count, maxLength: count }),
      size: powerOf(22, 26),
      a: powerOf(0, 3),
      gamma: powerOf(11, generation === "first" ? 15.9 : 16.2),
      midFee: powerOf(5, 7.5),
      outFee: powerOf(7.5, 8.3),
      feeGamma: powerOf(13, 17),
      isRamping: generation === "first" ? fc.constant(false) : fc.boolean(),
    })
    .map(({ tokens, size, a, gamma, midFee, outFee, feeGamma, isRamping }) => {
      const priceScale = tokens.slice(1).map(({ price }) => price);
      const precisions = tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals));
      const scales = precisions.map((precision, i) => precision * (i === 0 ? ONE : (priceScale[i - 1] as bigint)));
      const balances = tokens.map(({ skew }, i) => {
        const scaled = (size * BigInt(Math.floor(10 ** skew * 1e6))) / 10n ** 6n;
        return (scaled * ONE) / (scales[i] as bigint) + 1n;
      });
      const scaled = balances.map((balance, i) => (balance * (scales[i] as bigint)) / ONE);
      const parts = generation === "first" ? 100n : 10_000n;
      const ann = a * parts * BigInt(count) ** BigInt(count);
      const rest = generation && { generation };
      const d = invariantOf(scaled, { ann: (ann * 10_000n) / parts, gamma, ...rest }, 0n) ?? 0n;
      const held = [d, ...priceScale.map((price) => (d * ONE) / price)].map((part) => part / BigInt(count));
      return {
        ...{ balances, precisions, priceScale, d, midFee, outFee, feeGamma, ...rest },
        ...{ initialA: ann * 2n, futureA: ann, initialGamma: gamma, futureGamma: gamma },
        ...{ initialTime: TIME - 1_000n, futureTime: isRamping ? TIME + 1_000n : TIME - 1n },
        ...{ virtualPrice: ONE, supply: geometricMean(held, generation) + 1n },
      };
    });
}
